import { withBasePath } from "@/lib/domain/base-path";
import { Mark } from "@/components/ui/mark";
import { TimeText } from "@/components/ui/time-text";
import type { SavedBy } from "@/lib/domain/annotation";
import type { AdjudicationStatus, Judgment, RecordedKind } from "@/lib/domain/judgment";
import type { Outcome } from "@/lib/domain/trial";
import { formatPlural, MISSING } from "@/lib/format/number";
import { OUTCOME_WORDS } from "@/lib/format/words";

/** The glyph of each judgment, shared with the outcomes it compares with. */
export const JUDGMENT_MARKS = { pass: "passed", fail: "failed", defer: "defer" } as const satisfies Record<
  Judgment,
  Outcome | "defer"
>;

/** The word on the verdict's button. */
export const JUDGMENT_WORDS: Readonly<Record<Judgment, string>> = {
  pass: "Pass",
  fail: "Fail",
  defer: "Defer",
};

/** Heading of the categories, which depends on what they explain. */
export const CATEGORY_HEADINGS: Readonly<Record<Judgment | "none", string>> = {
  none: "Categories",
  pass: "Anything worth noting",
  fail: "Why it failed",
  defer: "Why it is deferred",
};

/** `passed with reward 1.0`, `timeout without a reward`. */
export function describeVerdict(outcome: Outcome, reward: string | null): string {
  return `${OUTCOME_WORDS[outcome]} ${reward === null ? "without a reward" : `with reward ${reward}`}`;
}

/** What stands in lists for how a judgment relates to the verifier and the folders. */
export const STANDING_WORDS = {
  disagrees: "Disagrees with the verifier",
  agrees: "No disagreement",
  conflict: "Reviewers in conflict",
  decided: "Conflict decided",
  stale: "Changed since",
  lost: "Trial not found",
  withdrawn: "Undone",
} as const;

/** What a judgment is that stands in a file of the opened folders. */
export const RECORDED_WORDS: Readonly<Record<RecordedKind, string>> = {
  adjudication: "Adjudication",
  feedback: "Annotation",
  evaluation: "In the record",
  triage: "Triage",
};

/** Where the reviewers of a trial stood when an adjudication was recorded. */
export const ADJUDICATION_WORDS: Readonly<Record<AdjudicationStatus, string>> = {
  agreed: "agreed",
  contested: "contested",
  needs_adjudication: "needs adjudication",
  adjudicated: "adjudicated",
};

/** A judgment as its glyph and word. */
export function JudgmentWord({ judgment }: { judgment: Judgment }) {
  return (
    <span className="status-word">
      <Mark status={JUDGMENT_MARKS[judgment]} />
      {JUDGMENT_WORDS[judgment]}
    </span>
  );
}

/** What became of a trial beside the reward, which an errored trial may lack: that is neither a verdict nor a reward of 0. */
export function OutcomeWithReward({
  outcome,
  reward,
  title,
}: {
  outcome: Outcome;
  reward: string | null;
  title?: string | undefined;
}) {
  return (
    <span className="status-word" title={title}>
      <Mark status={outcome} />
      {OUTCOME_WORDS[outcome]}
      <span className="muted">{reward ?? MISSING}</span>
    </span>
  );
}

/** When a judgment was saved or undone. Stored times are always UTC. */
export function AnnotationTime({ timestamp, className }: { timestamp: string; className?: string }) {
  const time = { text: timestamp, epochMs: Date.parse(timestamp), zoned: true };
  return <TimeText time={time} {...(className === undefined ? {} : { className })} />;
}

/** How many versions a page does not show because they are too much for it, with the way to them; nothing when it shows all. */
export function HiddenVersions({ nHidden }: { nHidden: number }) {
  if (nHidden === 0) return null;
  return (
    <p className="caption">
      {formatPlural(nHidden, "more version")} of this trial would make this page too long.{" "}
      <a href={withBasePath("/annotations/export?history=1")} download>
        Export with history
      </a>{" "}
      has all of them.
    </p>
  );
}

/** Who acted in a reviewer’s name. */
export function nameSaver(savedBy: SavedBy): string {
  return `an ${savedBy}`;
}
