"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import { readReviewer, rememberReviewer } from "@/components/annotations/drafts";
import { announce } from "@/components/shell/announcer";
import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { FieldsForm } from "@/components/ui/fields-form";
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
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <Button
        data-command="triage.dismiss"
        title="Hide it from this list for everyone; counts still include it"
        onClick={() => setOpen(true)}
      >
        Dismiss, with reason
      </Button>
    );
  return (
    <ReasonForm
      label="Dismiss this finding"
      why="Why it needs no fix (shown with your name)"
      submit="Dismiss"
      action={(reason) => dismissFindingAction({ key, title, reason, base })}
      onDone={() => announce(`Dismissed: ${title}`)}
      onCancel={() => setOpen(false)}
    />
  );
}

export function RestoreButton({ findingKey: key, base, isOwn }: Target & { isOwn: boolean }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const { isPending, run } = useAction({ isAnnounced: true });
  const label = isOwn ? "Undo" : "Show again";
  const restore = (reason: string) => restoreFindingAction({ key, reason, base });
  const start = () => {
    if (isOwn && readReviewer().reviewerId !== "")
      run(
        () => restore(""),
        () => router.refresh(),
      );
    else setOpen(true);
  };
  if (!isOpen)
    return (
      <Button look="bare" disabled={isPending} onClick={start}>
        {label}
      </Button>
    );
  return (
    <ReasonForm
      label={isOwn ? "Undo the dismissal" : "Show this finding again"}
      why={isOwn ? null : "Why it needs a fix after all (shown with your name)"}
      submit={label}
      action={restore}
      onCancel={() => setOpen(false)}
    />
  );
}

interface ReasonFormProps {
  readonly label: string;
  readonly why: string | null;
  readonly submit: string;
  readonly action: (reason: string) => ReturnType<typeof restoreFindingAction>;
  readonly onDone?: () => void;
  readonly onCancel: () => void;
}

/** Also asks for the name, if this browser has none. */
function ReasonForm({ label, why, submit, action, onDone, onCancel }: ReasonFormProps) {
  const router = useRouter();
  const [needsName] = useState(() => readReviewer().reviewerId === "");
  const { problem, isPending, run } = useAction();
  const send = (reason: string, name: string): void => {
    if (needsName && name === "") return;
    if (needsName) rememberReviewer({ ...readReviewer(), reviewerId: name });
    run(
      () => action(reason),
      () => {
        onDone?.();
        router.refresh();
      },
    );
  };
  return (
    <FieldsForm
      className="dismiss-form"
      label={label}
      onSend={(read) => send(read("reason").trim(), read("name").trim())}
      onCancel={onCancel}
    >
      {why === null ? null : (
        <label>
          <span className="caption">{why}</span>
          <input className="input" name="reason" maxLength={TRIAGE_LIMITS.reason} required autoFocus />
        </label>
      )}
      {needsName ? (
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
        <Button look="bare" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </FieldsForm>
  );
}
