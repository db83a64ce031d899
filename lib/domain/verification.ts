import type { PyValue, RewardDict } from "@/lib/scoring";

/**
 * How a recorded figure compares with the one computed again.
 * `exact`: same bits. `ulp`: within 16 units in the last place, so a different order or way of adding.
 * `mismatch`: another number. `not-recorded`: nothing to compare with.
 * `unverifiable`: recorded, but the trials it was computed from are not all here.
 */
export type Verdict = "exact" | "ulp" | "mismatch" | "not-recorded" | "unverifiable";

/** Which kind of figure was compared. */
export type FigureKind =
  "metric" | "pass-at-k" | "counter" | "reward-stats" | "exception-stats" | "reward-file" | "outcome";

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
  /** Why the verdict is not `exact`, in one sentence; null when it is. */
  readonly reason: string | null;
  /** Keys of the trials behind the figure. */
  readonly trialKeys: readonly string[];
}

/** How many figures got each verdict. */
export type VerdictCounts = Readonly<Record<Verdict, number>>;

/**
 * The seal of a job or group: the worst verdict over its figures, `interim` while the job runs, `not-recorded` when there
 * is nothing to compare with.
 */
export type Seal = Verdict | "interim";

/** One evals group computed again from its trials. */
export interface RecomputedGroup {
  readonly key: string;
  readonly agent: string;
  readonly model: string | null;
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
    "several-reward-keys" | "reward-not-0-or-1" | "one-attempt" | "no-trials" | null;
  readonly seal: Seal;
}

/** Everything recomputed for one job, and how it compares. */
export interface VerificationReport {
  readonly seal: Seal;
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
