import type { PyValue, RewardDict } from "@/lib/scoring";

/**
 * How a recorded figure compares with the one computed again, the worst first.
 * `exact`: same bits. `ulp`: within 16 units in the last place, so a different order or way of adding.
 * `explained`: another number than the trials give, and a known rule of Harbor accounts for exactly this difference.
 * `mismatch`: another number, and no rule accounts for it; also a figure that the Harbor of the job always records and did
 * not. `unknown-rule`: the same in a job of a Harbor newer than Assay knows. `not-recorded`: nothing to compare with.
 * `incomplete`: what it was computed from, or the result.json that records it, is not all here.
 */
export const VERDICTS = [
  "mismatch",
  "unknown-rule",
  "incomplete",
  "explained",
  "ulp",
  "not-recorded",
  "exact",
] as const;

export type Verdict = (typeof VERDICTS)[number];

/**
 * Rules of Harbor beside the plain one that a figure can follow.
 * `reward-text-first`: reward.txt came before reward.json up to 0.6.6.
 * `dataset-metric`: the metric is not in config.json and was found by its values.
 * `dataset-lookup`: metrics are looked up by the text after the last `__` of the evals key, which is not always the dataset.
 * `cancellation`: a trial that Harbor tried to cancel is counted as cancelled, however it ended.
 * `retry`: the folder of a retried attempt is deleted, so that job.log alone tells of it.
 * `rebuilt-job`: a job rebuilt from trial archives has no metrics, and counts trials that it has no folder for.
 * `older-names`: up to 0.6.1 counters had other names, which the outcome line does not know.
 */
export type HarborRule =
  | "reward-text-first"
  | "dataset-metric"
  | "dataset-lookup"
  | "cancellation"
  | "retry"
  | "rebuilt-job"
  | "older-names";

/** Kinds of figures, in the order of their filter. */
export const FIGURE_KINDS = [
  "outcome",
  "counter",
  "total",
  "metric",
  "pass-at-k",
  "reward-stats",
  "exception-stats",
  "reward-file",
  "reward-valid",
  "error-policy",
] as const;

export type FigureKind = (typeof FIGURE_KINDS)[number];

/** One recorded figure beside the recomputed one. */
export interface Figure {
  readonly kind: FigureKind;
  /** Where result.json states it, such as `stats.evals.orca__m__d.metrics[0].mean`; a trial's key for reward files. */
  readonly path: string;
  /** Evals group key, or null for a figure of the whole job. */
  readonly group: string | null;
  /** Python's JSON text of the recorded value; null when not recorded. */
  readonly recorded: string | null;
  /** Python's JSON text of the recomputed value; null when it cannot be computed. */
  readonly recomputed: string | null;
  readonly verdict: Verdict;
  /** Distance in units in the last place for `ulp`, else null. */
  readonly ulps: number | null;
  /** Why the verdict is not `exact`, or how an exact figure was found out, in one sentence; null when nothing is to be said. */
  readonly reason: string | null;
  /** The rule of Harbor that the figure follows; null for the plain one and for a figure that follows none. */
  readonly rule: HarborRule | null;
  /** Keys of the trials behind the figure; of a mismatch those that contradict it, where single trials do. */
  readonly trialKeys: readonly string[];
}

export type VerdictCounts = Readonly<Record<Verdict, number>>;

/** Counts of no figures. */
export const NO_COUNTS: VerdictCounts = {
  exact: 0,
  ulp: 0,
  explained: 0,
  mismatch: 0,
  "unknown-rule": 0,
  incomplete: 0,
  "not-recorded": 0,
};

/** The worst verdict over its figures, `interim` while the job runs, `not-recorded` without anything to compare. */
export type CheckVerdict = Verdict | "interim";

/** One evals group computed again from its trials. */
export interface RecomputedGroup {
  readonly key: string;
  readonly agent: string;
  readonly model: string | null;
  /** See `joinProviders`. */
  readonly provider: string | null;
  readonly source: string | null;
  /** Keys of its trials in the order of the operands. */
  readonly trialKeys: readonly string[];
  /** One per configured metric; null when Harbor would raise or the metric is a script. */
  readonly metrics: readonly {
    readonly type: string;
    readonly value: RewardDict | null;
    readonly error: string | null;
  }[];
  /** Harbor's pass@k; empty when the group is ineligible. */
  readonly passAtK: ReadonlyMap<number, number>;
  readonly passAtKIneligible:
    | "several-reward-keys"
    | "reward-not-0-or-1"
    | "one-attempt"
    | "no-trials"
    | null;
  readonly verdict: CheckVerdict;
}

/** Everything recomputed for one job, and how it compares. */
export interface VerificationReport {
  readonly verdict: CheckVerdict;
  readonly counts: VerdictCounts;
  readonly figures: readonly Figure[];
  readonly groups: readonly RecomputedGroup[];
  /** Which order of trials reproduced the recorded figures best. */
  readonly order: "lock" | "stats" | "directory" | "started" | "finished";
  /** Outcome line from result.json, and from the trials alone. */
  readonly outcome: { readonly recorded: string; readonly recomputed: string };
  /** The stats that Harbor would write for the trials here, for display beside the recorded ones. */
  readonly recomputedCounters: ReadonlyMap<string, PyValue>;
}
