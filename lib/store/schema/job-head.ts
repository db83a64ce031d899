import type { SettingDifference, SetupPart } from "@/lib/domain/agent-settings";
import type { ClockTime } from "@/lib/domain/clock-time";
import type { CounterName, JobRecord } from "@/lib/domain/job";
import type { RegradedShare } from "@/lib/domain/lineage";
import type { Outcome } from "@/lib/domain/trial";
import type { Figure, RecomputedGroup, VerificationReport } from "@/lib/domain/verification";
import type { PyValue } from "@/lib/scoring";
import type { MeanInterval, Unavailable } from "@/lib/stats";

/** How many trials had each outcome; an outcome nobody had is 0. */
export type OutcomeCounts = Readonly<Record<Outcome, number>>;

/** A number as Python writes it, beside its double. */
export interface ExactValue {
  readonly value: number;
  readonly text: string;
}

/** One evals group of a job with what every page says about it, computed once when the job is read. */
export interface GroupSummary {
  readonly group: Omit<RecomputedGroup, "trialKeys">;
  /** Every trial of the group, running, missing and unreadable ones included. */
  readonly nTrials: number;
  /** Trials with a readable result. */
  readonly nFinished: number;
  readonly nTasks: number;
  /** Recomputed headline: the first metric's only value, or its `reward` key; null when there is none. */
  readonly headline: (ExactValue & { readonly key: string }) | null;
  readonly nRewardKeys: number;
  /** Mean of the headline reward over trials with its interval; a missing reward counts 0, as Harbor scores it. */
  readonly interval: MeanInterval | Unavailable;
  readonly counts: OutcomeCounts;
  /** Trials that carry an exception, whatever their outcome. */
  readonly nExceptions: number;
  /** Total cost of the trials that report one; null when none does. */
  readonly costUsd: number | null;
  readonly nWithCost: number;
  readonly costPerPass: number | null;
  /** Trials whose rollout is another trial's; their cost is part of `costUsd`. */
  readonly regraded: RegradedShare;
  /** Whether result.json records any metric; without one the verdict speaks of reward files alone. */
  readonly hasRecordedMetric: boolean;
  /** Units in the last place of the figure furthest off; null when no figure is off by ulps only. */
  readonly ulps: number | null;
  /** k as text to value as result.json states it; null when it states none. */
  readonly recordedPassAtK: ReadonlyMap<string, PyValue> | null;
  /** How its trials' agents were set up in different ways; null when no setting is known to differ. */
  readonly setups: GroupSetups | null;
  /** The settings that all its trials share, of a part of a group; null for a whole group. */
  readonly setup: readonly SetupPart[] | null;
}

/** The settings in which the trials of a group differ, and the group divided by them. */
export interface GroupSetups {
  readonly differences: readonly SettingDifference[];
  /** Empty where there are too many to be looked at side by side. */
  readonly parts: readonly SetupSummary[];
}

/** The trials of a group with the same settings, as if they were a group; nothing is recorded of them. */
export interface SetupSummary {
  readonly summary: GroupSummary;
  /** Metrics and pass@k, as figures that nothing is compared with. */
  readonly figures: readonly Pick<Figure, "kind" | "path" | "recomputed">[];
}

/** A job as pages show it: everything but its trials, tasks and figures, which are read a page at a time. */
export interface JobHead extends Omit<
  JobRecord,
  "plan" | "plannedTasks" | "recorded" | "resultBytes" | "log"
> {
  /** Row in the index; stays the same while the job's folder stays where it is. */
  readonly rowId: number;
  /** Changes whenever anything of the job changed. */
  readonly version: number;
  readonly hasRecordedStats: boolean;
  /** `n_total_trials` as result.json records it; how many the job was to have is `planned`. */
  readonly nTotalTrials: number | null;
  readonly recordedCounters: ReadonlyMap<CounterName, bigint>;
  /** Absolute path of the job's folder. */
  readonly path: string;
  /** False while the job was found and its trials are not read yet: counts and figures are not known then. */
  readonly isRead: boolean;
  /** Whether dimensions and tags are those of the trials as they are; they are read after everything else. */
  readonly hasDerivedDetails: boolean;
  readonly report: Pick<
    VerificationReport,
    "verdict" | "counts" | "order" | "outcome" | "recomputedCounters"
  >;
  readonly groups: readonly GroupSummary[];
  readonly nTrials: number;
  readonly nTasks: number;
  readonly nFigures: number;
  /** Types of exceptions that ended its trials. */
  readonly nExceptionTypes: number;
  readonly costUsd: number | null;
  readonly nWithCost: number;
  /** See {@link GroupSummary.regraded}. */
  readonly regraded: RegradedShare;
  /** Fewest and most attempts at a task by one group; null without trials. */
  readonly attempts: { readonly min: number; readonly max: number } | null;
  /** The same by agent settings inside each group; null where no group is divided by them. */
  readonly setupAttempts: JobHead["attempts"];
  /** When it ended, or the best known time, its trials' included. */
  readonly when: ClockTime | null;
  /** Figures of the whole job, outside its groups, that do not follow from the trials. */
  readonly nJobMismatches: number;
  readonly isAnyPartial: boolean;
  /** Judgments that stand in files of the opened folders, and trials that have any; never those that were saved here. */
  readonly recordedJudgments: { readonly nJudgments: number; readonly nTrials: number };
}

/** A job's head as its row keeps it; the rest is in columns and in the rows of its groups. */
export type StoredHead = Omit<JobHead, "rowId" | "version" | "groups" | "hasDerivedDetails">;
