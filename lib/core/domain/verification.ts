import type { RewardDict } from "@/lib/core/scoring";

/**
 * Compares a recorded figure with the recomputed one, worst first.
 * `exact`: same bits. `ulp`: within 16 units in the last place, so a different order or way of adding.
 * `explained`: a known rule of Harbor accounts for exactly this difference.
 * `mismatch`: no rule accounts for it; also a figure that the Harbor of the job always records and did not.
 * `unknown-rule`: a mismatch in a job of a Harbor newer than Assay knows. `not-recorded`: nothing to compare with.
 * `incomplete`: its inputs, or the result.json that records it, are not all here.
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
 * Rules of Harbor besides the plain one that a figure can follow.
 * `reward-text-first`: reward.txt came before reward.json up to 0.6.6.
 * `dataset-metric`: the metric is not in config.json and was found by its values.
 * `dataset-lookup`: metrics are looked up by the text after the last `__` of the evals key, which is not always the dataset.
 * `cancellation`: a trial that Harbor tried to cancel counts as cancelled, however it ended.
 * `retry`: the folder of a retried attempt is deleted, so only job.log records it.
 * `rebuilt-job`: a job rebuilt from trial archives has no metrics, and counts trials without a folder.
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

export interface Figure {
  readonly kind: FigureKind;
  /** Path in result.json, such as `stats.evals.orca__m__d.metrics[0].mean`; a trial's key for reward files. */
  readonly path: string;
  readonly group: string | null;
  /** Python's JSON text; null if not recorded. */
  readonly recorded: string | null;
  readonly recomputed: string | null;
  readonly verdict: Verdict;
  readonly ulps: number | null;
  readonly reason: string | null;
  readonly rule: HarborRule | null;
  /** Trials behind the figure; for a mismatch, those that contradict it if single trials do. */
  readonly trialKeys: readonly string[];
}

export type VerdictCounts = Readonly<Record<Verdict, number>>;

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

export interface RecomputedGroup {
  readonly key: string;
  readonly agent: string;
  readonly model: string | null;
  readonly provider: string | null;
  readonly source: string | null;
  readonly trialKeys: readonly string[];
  /** One per configured metric; null if Harbor would raise or the metric is a script. */
  readonly metrics: readonly {
    readonly type: string;
    readonly value: RewardDict | null;
    readonly error: string | null;
  }[];
  /** Harbor's pass@k; empty if the group is ineligible. */
  readonly passAtK: ReadonlyMap<number, number>;
  readonly passAtKIneligible:
    | "several-reward-keys"
    | "reward-not-0-or-1"
    | "one-attempt"
    | "no-trials"
    | null;
  readonly verdict: CheckVerdict;
}

export interface VerificationReport {
  readonly verdict: CheckVerdict;
  readonly counts: VerdictCounts;
  readonly figures: readonly Figure[];
  readonly groups: readonly RecomputedGroup[];
  readonly order: "lock" | "stats" | "directory" | "started" | "finished";
  readonly outcome: { readonly recorded: string; readonly recomputed: string };
}
