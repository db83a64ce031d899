"use client";

import { useOffline } from "next/offline";
import { type ReactNode, useState } from "react";

import { Button } from "@/components/ui/button";
import { disagreesWithVerifier, DRAFT_LIMITS, type Annotation } from "@/lib/core/domain/annotation";
import type { Judgment } from "@/lib/core/domain/judgment";
import type { ReviewState } from "@/lib/pages/annotations/review";

import type { Reviewer } from "./drafts";
import { describeVerdict, AnnotationTime, JUDGMENT_WORDS } from "./judgment-words";
import {
  describeRefusal,
  leaveOnEscape,
  Message,
  NameInput,
  NO_ANSWER_WORDS,
  Problem,
  SavedAt,
  VerdictButtons,
  WAITING_WORDS,
} from "./statement-form";
import { type ReviewDraft, toContent, type ReviewPanelState } from "./use-review-form";

interface VerdictProps {
  readonly seen: ReviewState["seen"];
  readonly value: Judgment | null;
  readonly problem: string | undefined;
  readonly onJudge: (judgment: Judgment) => void;
}

export function Verdict({ seen, value, problem, onJudge }: VerdictProps) {
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

interface ReviewerFieldsProps {
  readonly value: Reviewer;
  readonly problems: { readonly reviewerId?: string; readonly reviewerDiscipline?: string };
  readonly hasVerdict: boolean;
  readonly onChange: (change: Partial<Reviewer>) => void;
  readonly onLeave: () => void;
}

export function ReviewerFields({ value, problems, hasVerdict, onChange, onLeave }: ReviewerFieldsProps) {
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
      <p className="review-part row caption">
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
        <span className="label">Reviewer</span>
        <NameInput
          id="review-name"
          value={value.reviewerId}
          placeholder="Your name"
          aria-invalid={problems.reviewerId !== undefined}
          aria-describedby="review-reviewer-problem"
          onChange={(event) => onChange({ reviewerId: event.target.value })}
          onBlur={onLeave}
          onKeyDown={give}
        />
      </label>
      <label>
        <span className="label">
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

type ReviewAnswer = ReviewPanelState["answer"];

export function useReviewStatus({ form, answer, isPending }: ReviewPanelState, review: ReviewState) {
  const isOffline = useOffline();
  // The browser resends it automatically once the server is reachable.
  if (isPending) return isOffline ? bad("Offline, not saved yet") : good("Saving…");
  if (review.problem !== null && !form.isDirty) return bad("Review status unknown");
  return describeStatus(form, answer);
}

function describeStatus({ mine, isDirty, isStale }: ReviewDraft, answer: ReviewAnswer) {
  const current = mine?.current ?? null;
  if (isStale && answer === null) return bad("Trial changed since");
  if (isDirty) return describeUnsaved(answer, current !== null);
  if (current !== null) return good(<SavedAt timestamp={current.timestamp} />);
  if (mine?.isCurrentHidden === true) return good("Saved, too long to show");
  return good(answer?.status === "undone" ? "Undone" : "Not reviewed");
}

const good = (words: ReactNode) => ({ words, isBad: false });
const bad = (words: ReactNode) => ({ words, isBad: true });

function describeUnsaved(answer: ReviewAnswer, isCorrection: boolean) {
  if (answer?.status === "offline") return bad("Offline, draft kept");
  if (answer?.status === "failed" || answer?.status === "invalid") return bad("Not saved");
  return good(isCorrection ? "Changed, not saved" : "Draft, not saved");
}

export function ReviewMessages({ panel, review }: { panel: ReviewPanelState; review: ReviewState }) {
  const { form, answer, isPending } = panel;
  const isWaiting = useOffline() && isPending;
  const last = describeLast(form, answer, review.target) ?? review.problem;
  const text = isWaiting ? WAITING_WORDS : (last ?? (form.isStale ? STALE_WORDS : null));
  if (form.isOvertaken) return <Overtaken panel={panel} text={text} />;
  if (text === null) return null;
  const isBad = isWaiting || (answer?.status !== "saved" && answer?.status !== "next");
  return (
    <Message isBad={isBad}>
      <p>{text}</p>
    </Message>
  );
}

const STALE_WORDS =
  "The result or trajectory of this trial changed since you judged it. Check it, then save to confirm or correct your judgment. Until then, rates exclude it.";

function Overtaken({ panel: { form, keepMine }, text }: { panel: ReviewPanelState; text: string | null }) {
  const { mine, take } = form;
  const theirs = mine?.current ?? null;
  const isHidden = mine?.isCurrentHidden === true;
  return (
    <Message isBad>
      {text === null ? null : <p>{text}</p>}
      <p>
        <OtherJudgment theirs={theirs} isHidden={isHidden} />
      </p>
      {theirs?.notes == null ? null : <p className="prose review-entry-notes">{theirs.notes}</p>}
      <p className="flow review-message-actions">
        <Button onClick={keepMine}>Keep mine</Button>
        {isHidden ? null : <Button onClick={() => take(toContent(theirs))}>Keep theirs</Button>}
      </p>
    </Message>
  );
}

function OtherJudgment({ theirs, isHidden }: { theirs: Annotation | null; isHidden: boolean }) {
  if (isHidden)
    return "You saved another judgment of this trial, which is too long to show here. The export has it.";
  if (theirs === null) return "Your judgment was undone in another window after you started this draft.";
  const categories = theirs.categories.length === 0 ? "" : `, ${theirs.categories.join(", ")}`;
  return (
    <>
      You saved another judgment in another window, <AnnotationTime timestamp={theirs.timestamp} />:{" "}
      {`${JUDGMENT_WORDS[theirs.judgment]}${categories}.`}
    </>
  );
}

function describeLast(
  { isDirty, refusal }: ReviewDraft,
  answer: ReviewAnswer,
  target: ReviewState["target"],
) {
  if (answer !== null) return describeAnswer(answer, isDirty, target);
  return isDirty && refusal !== null ? describeRefusal(refusal) : null;
}

function describeAnswer(
  answer: NonNullable<ReviewAnswer>,
  isDirty: boolean,
  target: ReviewState["target"],
): string | null {
  switch (answer.status) {
    case "offline":
      return isDirty ? NO_ANSWER_WORDS : null;
    case "failed":
      return describeRefusal(answer.message);
    case "invalid":
      return Object.keys(answer.fields).length === 0 ? answer.message : null;
    case "saved":
      return answer.wasLast ? describeEnd(target) : null;
    case "next":
      return answer.nextHref === null && !isDirty ? describeEnd(target) : null;
    case "conflict":
    case "undone":
      return null;
  }
}

function describeEnd(target: ReviewState["target"]): string {
  return target.kind === "trial" && target.list !== null
    ? "This is the last trial in the list."
    : "Every finished trial of this job is reviewed.";
}
