"use client";

import { useState } from "react";

import { useAccountName } from "@/components/shell/account-context";
import { Button } from "@/components/ui/button";
import { disagreesWithVerifier, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import type { Judgment } from "@/lib/core/domain/judgment";
import type { ReviewState } from "@/lib/pages/annotations/review";

import type { Reviewer } from "./draft-storage";
import { describeVerdict } from "./judgment-words";
import { leaveOnEscape, Problem, VerdictButtons } from "./statement-form";

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
      <VerdictButtons
        label="Verdict"
        id="review-verdict"
        value={value}
        problem={problem}
        onChoose={onJudge}
      />
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
