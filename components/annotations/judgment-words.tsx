import { Mark, StatusWord } from "@/components/ui/mark";
import { TimeText } from "@/components/ui/time-text";
import { readInstant } from "@/lib/core/domain/clock-time";
import type { Judgment, RecordedKind } from "@/lib/core/domain/judgment";
import type { Confidence } from "@/lib/core/domain/review";
import type { Outcome } from "@/lib/core/domain/trial";
import { MISSING } from "@/lib/core/format/number";
import { OUTCOME_WORDS } from "@/lib/core/format/words";

export const JUDGMENT_MARKS = { pass: "passed", fail: "failed", defer: "defer" } as const satisfies Record<
  Judgment,
  Outcome | "defer"
>;

export const JUDGMENT_WORDS: Readonly<Record<Judgment, string>> = {
  pass: "Pass",
  fail: "Fail",
  defer: "Defer",
};

export const CONFIDENCE_WORDS: Readonly<Record<Confidence, string>> = {
  low: "Low",
  medium: "Medium",
  high: "High",
};

export const CATEGORY_HEADINGS: Readonly<Record<Judgment | "none", string>> = {
  none: "Categories",
  pass: "Categories (optional)",
  fail: "Why it failed",
  defer: "Why it is deferred",
};

export function describeVerdict(outcome: Outcome, reward: string | null): string {
  return `${OUTCOME_WORDS[outcome]} ${reward === null ? "without a reward" : `with reward ${reward}`}`;
}

export const STANDING_WORDS = {
  disagrees: "Disagrees with the verifier",
  agrees: "No disagreement",
  conflict: "Reviewers in conflict",
  decided: "Conflict decided",
  stale: "Changed since",
  lost: "Trial not found",
  withdrawn: "Undone",
} as const;

export const RECORDED_WORDS: Readonly<Record<RecordedKind, string>> = {
  adjudication: "Adjudication",
  feedback: "Annotation",
  evaluation: "In the record",
  triage: "Triage",
};

export function JudgmentWord({ judgment }: { judgment: Judgment }) {
  return <StatusWord status={JUDGMENT_MARKS[judgment]}>{JUDGMENT_WORDS[judgment]}</StatusWord>;
}

interface OutcomeWithRewardProps {
  readonly outcome: Outcome;
  readonly reward: string | null;
  readonly title?: string | undefined;
}

/** Shows the outcome next to the reward: an errored trial may lack one, which is neither a verdict nor a 0. */
export function OutcomeWithReward({ outcome, reward, title }: OutcomeWithRewardProps) {
  return (
    <span className="status-word" title={title}>
      <Mark status={outcome} />
      {OUTCOME_WORDS[outcome]}
      <span className="muted">{reward ?? MISSING}</span>
    </span>
  );
}

/** Stored times are always UTC. */
export function AnnotationTime({ timestamp, className }: { timestamp: string; className?: string }) {
  return <TimeText time={readInstant(timestamp)} {...(className === undefined ? {} : { className })} />;
}
