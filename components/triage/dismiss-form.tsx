"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

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

export function DismissForm({ findingKey, base, title }: Target & { title: string }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [needsName, setNeedsName] = useState(false);
  const { problem, isPending, run } = useAction();
  if (!isOpen)
    return (
      <Button
        data-command="triage.dismiss"
        title="Hide it from this list for everyone; counts still include it"
        onClick={() => {
          setNeedsName(readReviewer().reviewerId === "");
          setOpen(true);
        }}
      >
        Dismiss, with reason
      </Button>
    );
  const dismiss = (data: FormData): void => {
    const name = readText(data, "name");
    if (needsName && name !== "") rememberReviewer({ ...readReviewer(), reviewerId: name });
    const request = { key: findingKey, title, reason: readText(data, "reason"), base };
    run(
      () => dismissFindingAction(request),
      () => {
        announce(`Dismissed: ${title}`);
        router.refresh();
      },
    );
  };
  return (
    <form
      className="dismiss-form"
      aria-label="Dismiss this finding"
      onSubmit={(event) => {
        event.preventDefault();
        dismiss(new FormData(event.currentTarget));
      }}
      onKeyDown={({ key }) => {
        if (key === "Escape") setOpen(false);
      }}
    >
      <label>
        <span className="caption">Why it needs no fix (shown with your name)</span>
        <input className="input" name="reason" maxLength={TRIAGE_LIMITS.reason} required autoFocus />
      </label>
      {needsName ? <NameField /> : null}
      <Problem>{problem}</Problem>
      <div className="row">
        <Button type="submit" look="main" disabled={isPending}>
          Dismiss
        </Button>
        <Button look="bare" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

export function RestoreButton({ findingKey, base, isOwn }: Target & { isOwn: boolean }) {
  const router = useRouter();
  const [asks, setAsks] = useState<{ readonly name: boolean } | null>(null);
  const { isPending, run } = useAction({ isAnnounced: true });
  const label = isOwn ? "Undo" : "Show again";
  const restore = (reason: string): void =>
    run(
      () => restoreFindingAction({ key: findingKey, reason, base }),
      () => router.refresh(),
    );
  if (asks === null)
    return (
      <Button
        look="bare"
        disabled={isPending}
        onClick={() => {
          const needsName = readReviewer().reviewerId === "";
          if (isOwn && !needsName) restore("");
          else setAsks({ name: needsName });
        }}
      >
        {label}
      </Button>
    );
  return (
    <form
      className="dismiss-form"
      aria-label={isOwn ? "Undo the dismissal" : "Show this finding again"}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const name = readText(data, "name");
        if (asks.name && name === "") return;
        if (asks.name) rememberReviewer({ ...readReviewer(), reviewerId: name });
        restore(readText(data, "reason"));
      }}
      onKeyDown={({ key }) => {
        if (key === "Escape") setAsks(null);
      }}
    >
      {isOwn ? null : (
        <label>
          <span className="caption">Why it needs a fix after all (shown with your name)</span>
          <input className="input" name="reason" maxLength={TRIAGE_LIMITS.reason} required autoFocus />
        </label>
      )}
      {asks.name ? <NameField /> : null}
      <Button type="submit" disabled={isPending}>
        {label}
      </Button>
    </form>
  );
}

function NameField() {
  return (
    <label>
      <span className="caption">Your name</span>
      <input className="input" name="name" maxLength={DRAFT_LIMITS.reviewerId} required autoComplete="name" />
    </label>
  );
}

function readText(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value.trim() : "";
}
