import type { PyValue } from "../scoring";
import type { MeanInterval, Unavailable } from "../stats";
import type { SettingDifference, SetupPart } from "./agent-settings";
import type { ClockTime } from "./clock-time";
import type { JobRecord } from "./job";
import type { RegradedShare } from "./lineage";
import type { Outcome } from "./trial";
import type { Figure, RecomputedGroup, VerificationReport } from "./verification";

export type OutcomeCounts = Readonly<Record<Outcome, number>>;

interface ExactValue {
  readonly value: number;
  readonly text: string;
}

export interface GroupSummary {
  readonly group: Omit<RecomputedGroup, "trialKeys">;
  /** Every trial of the group, including running, missing and unreadable ones. */
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
  readonly nExceptions: number;
  /** Total cost of the trials that report one; null when none does. */
  readonly costUsd: number | null;
  readonly nWithCost: number;
  readonly costPerPass: number | null;
  /** Trials whose rollout is another trial's; their cost is part of `costUsd`. */
  readonly regraded: RegradedShare;
  /** True if result.json records any metric; without one the verdict covers reward files alone. */
  readonly hasRecordedMetric: boolean;
  /** Largest difference in units in the last place; null when no figure differs by ulps only. */
  readonly ulps: number | null;
  /** Maps k as text to the value of result.json; null when it states none. */
  readonly recordedPassAtK: ReadonlyMap<string, PyValue> | null;
  readonly setups: GroupSetups | null;
  readonly setup: readonly SetupPart[] | null;
}

interface GroupSetups {
  readonly differences: readonly SettingDifference[];
  /** Empty if there are too many to compare side by side. */
  readonly parts: readonly SetupSummary[];
}

interface SetupSummary {
  readonly summary: GroupSummary;
  readonly figures: readonly Pick<Figure, "kind" | "path" | "recomputed">[];
}

export interface JobHead extends Omit<
  JobRecord,
  "plan" | "plannedTasks" | "recorded" | "resultBytes" | "log"
> {
  readonly rowId: number;
  readonly version: number;
  readonly hasRecordedStats: boolean;
  readonly path: string;
  /** False while its trials are not read yet; counts and figures are unknown then. */
  readonly isRead: boolean;
  readonly hasDerivedDetails: boolean;
  readonly report: Pick<VerificationReport, "verdict" | "counts" | "order">;
  readonly groups: readonly GroupSummary[];
  readonly nTrials: number;
  readonly nTasks: number;
  readonly nFigures: number;
  readonly nExceptionTypes: number;
  readonly costUsd: number | null;
  readonly nWithCost: number;
  readonly regraded: RegradedShare;
  /** Fewest and most attempts at a task by one group; null without trials. */
  readonly attempts: { readonly min: number; readonly max: number } | null;
  readonly setupAttempts: JobHead["attempts"];
  readonly when: ClockTime | null;
  readonly nJobMismatches: number;
  readonly isAnyPartial: boolean;
  /** Judgments recorded in files of the opened folders, and trials that have any; excludes judgments saved in Assay. */
  readonly recordedJudgments: { readonly nJudgments: number; readonly nTrials: number };
}

export type StoredHead = Omit<JobHead, "rowId" | "version" | "groups" | "hasDerivedDetails">;
