"use client";

import { useRouter } from "next/navigation";
import { type ComponentProps, useState } from "react";

import { readReviewer, rememberReviewer } from "@/components/annotations/draft-storage";
import { announce } from "@/components/shell/announcer";
import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { Problem } from "@/components/ui/problem";
import { DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { TRIAGE_LIMITS } from "@/lib/core/domain/triage-note";
import { dismissFindingAction, restoreFindingAction } from "@/lib/pages/triage/actions";

import "./dismiss-form.css";

interface Target {
  readonly findingKey: string;
  readonly base: number;
}

export function DismissForm({ findingKey: key, base, title }: Target & { title: string }) {
  return (
    <ChangeForm
      label="Dismiss this finding"
      button="Dismiss, with reason"
      submit="Dismiss"
      question="Why it needs no fix (shown with your name)"
      title="Hide it from this list for everyone; counts still include it"
      data-command="triage.dismiss"
      said={`Dismissed: ${title}`}
      save={(reason) => dismissFindingAction({ key, title, reason, base })}
    />
  );
}

/** The author of a dismissal undoes it without a reason. */
export function RestoreButton({ findingKey: key, base, isOwn }: Target & { isOwn: boolean }) {
  const button = isOwn ? "Undo" : "Show again";
  return (
    <ChangeForm
      look="bare"
      label={isOwn ? "Undo the dismissal" : "Show this finding again"}
      button={button}
      submit={button}
      question={isOwn ? null : "Why it needs a fix after all (shown with your name)"}
      said={null}
      save={(reason) => restoreFindingAction({ key, reason, base })}
    />
  );
}

/** A button that opens a form for what is missing: a reason, a name, or both. */
function ChangeForm({
  label,
  button,
  submit,
  question,
  said,
  save,
  ...rest
}: {
  label: string;
  button: string;
  submit: string;
  /** Null if no reason is needed. */
  question: string | null;
  said: string | null;
  save: (reason: string) => ReturnType<typeof dismissFindingAction>;
} & Omit<ComponentProps<typeof Button>, "onClick">) {
  const router = useRouter();
  const [asks, setAsks] = useState<{ readonly name: boolean } | null>(null);
  const { problem, isPending, run } = useAction({ isAnnounced: question === null });
  const change = (reason: string): void =>
    run(
      () => save(reason),
      () => {
        if (said !== null) announce(said);
        router.refresh();
      },
    );
  const open = (): void => {
    const name = readReviewer().reviewerId === "";
    if (question === null && !name) change("");
    else setAsks({ name });
  };
  if (asks === null)
    return (
      <Button {...rest} disabled={isPending} onClick={open}>
        {button}
      </Button>
    );
  return (
    <form
      className="dismiss-form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const name = readText(data, "name");
        if (asks.name && name === "") return;
        if (asks.name) rememberReviewer({ ...readReviewer(), reviewerId: name });
        change(readText(data, "reason"));
      }}
      onKeyDown={({ key }) => {
        if (key === "Escape") setAsks(null);
      }}
    >
      {question === null ? null : (
        <label>
          <span className="caption">{question}</span>
          <input className="input" name="reason" maxLength={TRIAGE_LIMITS.reason} required autoFocus />
        </label>
      )}
      {asks.name ? (
        <label>
          <span className="caption">Your name</span>
          <input
            className="input"
            name="name"
            maxLength={DRAFT_LIMITS.reviewerId}
            required
            autoComplete="name"
          />
        </label>
      ) : null}
      <Problem>{problem}</Problem>
      <div className="row">
        <Button type="submit" look="main" disabled={isPending}>
          {submit}
        </Button>
        <Button look="bare" onClick={() => setAsks(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function readText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value.trim() : "";
}
