"use client";

import { type RefObject, useState } from "react";

import { useAccountName } from "@/components/shell/account-context";
import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import { disagreesWithVerifier, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { type Judgment, JUDGMENTS } from "@/lib/core/domain/judgment";
import type { ReviewState } from "@/lib/pages/annotations/review";

import type { Reviewer } from "./draft-storage";
import { describeVerdict, JUDGMENT_MARKS, JUDGMENT_WORDS } from "./judgment-words";

export function Verdict({
  seen,
  value,
  problem,
  onJudge,
}: {
  seen: ReviewState["seen"];
  value: Judgment | null;
  problem: string | undefined;
  onJudge: (judgment: Judgment) => void;
}) {
  return (
    <div>
      <div
        className="review-verdicts"
        role="group"
        aria-label="Verdict"
        aria-describedby="review-verdict-problem"
      >
        {JUDGMENTS.map((judgment) => (
          <button
            key={judgment}
            type="button"
            className={`review-verdict review-verdict-${judgment}`}
            aria-pressed={value === judgment}
            data-invalid={problem === undefined ? undefined : ""}
            onClick={() => onJudge(judgment)}
          >
            <Mark status={JUDGMENT_MARKS[judgment]} size={16} />
            {JUDGMENT_WORDS[judgment]}
            <CommandKey id={`review.${judgment}`} />
          </button>
        ))}
      </div>
      <Problem id="review-verdict-problem" text={problem} isAlert />
      <p className="review-verifier caption" aria-live="polite">
        <VerifierWords seen={seen} value={value} />
      </p>
    </div>
  );
}

function VerifierWords({ seen, value }: { seen: ReviewState["seen"]; value: Judgment | null }) {
  if (seen === null) return "The verifier’s verdict is hidden until you save yours.";
  const verdict = describeVerdict(seen.outcome, seen.reward);
  // Without a reward the verifier gave no verdict.
  const source = seen.reward === null ? "outcome" : "verifier";
  if (value === null || !disagreesWithVerifier(value, seen.outcome))
    return `${source === "outcome" ? "Outcome" : "Verifier"}: ${verdict}.`;
  return (
    <>
      <b>You disagree with the {source}</b>: {verdict}. The reward does not change.
    </>
  );
}

export function NoteField({
  value,
  problem,
  inputRef,
  onChange,
}: {
  value: string | null;
  problem: string | undefined;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  onChange: (notes: string | null) => void;
}) {
  return (
    <div className="review-part">
      <h3>
        <label htmlFor="review-note">Note</label> <CommandKey id="review.note" />
      </h3>
      <textarea
        id="review-note"
        ref={inputRef}
        className="input review-note"
        rows={4}
        value={value ?? ""}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : "review-note-problem"}
        onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
        onKeyDown={leaveOnEscape}
      />
      <Problem id="review-note-problem" text={problem} isAlert />
    </div>
  );
}

export function ReviewerFields({
  value,
  problems,
  hasVerdict,
  onChange,
  onLeave,
}: {
  value: Reviewer;
  problems: { readonly reviewerId?: string; readonly reviewerDiscipline?: string };
  hasVerdict: boolean;
  onChange: (change: Partial<Reviewer>) => void;
  onLeave: () => void;
}) {
  const isSignedIn = useAccountName() !== null;
  const problem = problems.reviewerId ?? problems.reviewerDiscipline;
  const [isOpen, setIsOpen] = useState(value.reviewerId === "");
  function give(event: React.KeyboardEvent<HTMLElement>) {
    const { isComposing } = event.nativeEvent;
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || isComposing || hasVerdict) {
      leaveOnEscape(event);
      return;
    }
    if (value.reviewerId.trim() === "") return;
    event.preventDefault();
    document.querySelector<HTMLElement>(".review-verdicts > button")?.focus();
    setIsOpen(false);
  }
  if (!isOpen && problem === undefined)
    return (
      <p className="review-part row review-as caption">
        <span className="cut grow">
          You review as <b>{value.reviewerId}</b>
          {value.reviewerDiscipline === null ? "" : `, ${value.reviewerDiscipline}`}
        </span>
        <Button look="bare" onClick={() => setIsOpen(true)}>
          Change
        </Button>
      </p>
    );
  return (
    <div className="review-part review-reviewer">
      <label>
        <span className="review-label">Reviewer</span>
        <input
          id="review-name"
          className="input review-input"
          value={value.reviewerId}
          readOnly={isSignedIn}
          placeholder="Your name"
          autoComplete="name"
          maxLength={DRAFT_LIMITS.reviewerId}
          aria-invalid={problems.reviewerId !== undefined}
          aria-describedby="review-reviewer-problem"
          onChange={(event) => onChange({ reviewerId: event.target.value })}
          onBlur={onLeave}
          onKeyDown={give}
        />
      </label>
      <label>
        <span className="review-label">
          Discipline <span className="muted">optional</span>
        </span>
        <input
          className="input review-input"
          value={value.reviewerDiscipline ?? ""}
          autoComplete="off"
          maxLength={DRAFT_LIMITS.reviewerDiscipline}
          aria-invalid={problems.reviewerDiscipline !== undefined}
          onChange={(event) =>
            onChange({ reviewerDiscipline: event.target.value === "" ? null : event.target.value })
          }
          onKeyDown={give}
        />
      </label>
      <Problem id="review-reviewer-problem" text={problem} />
    </div>
  );
}

export function Problem({ id, text, isAlert }: { id?: string; text: string | undefined; isAlert?: boolean }) {
  if (text === undefined) return null;
  return (
    <p className="review-problem" id={id} role={isAlert ? "alert" : undefined}>
      {text}
    </p>
  );
}

function leaveOnEscape(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key === "Escape" && !event.nativeEvent.isComposing) event.currentTarget.blur();
}
