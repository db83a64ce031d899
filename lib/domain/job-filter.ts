import type { DimensionFilter } from "./dimension-filter";
import type { Flip } from "./lineage";
import type { PagePlace } from "./page-place";
import type { RubricFit, RubricRequest, RubricSort } from "./rubric";
import type { Outcome } from "./trial";
import type { FigureKind, Verdict } from "./verification";

/** Tabs of the job page. */
export const JOB_TABS = [
  "tasks",
  "trials",
  "dimensions",
  "rubric",
  "errors",
  "verification",
  "config",
] as const;

/** One of {@link JOB_TABS}. */
export type JobTab = (typeof JOB_TABS)[number];

/**
 * How the attempts at a task went over the groups of a job. `always`: every attempt passed. `never`: none did.
 * `flaky`: some group passed some of its attempts but not all. `split`: each group is consistent, but they differ.
 */
export const TASK_PATTERNS = ["always", "flaky", "split", "never"] as const;

/** One of {@link TASK_PATTERNS}. */
export type TaskPattern = (typeof TASK_PATTERNS)[number];

/** What reviewers say of a trial, as a filter: anything, a judgment all share, several, nothing, or one against the verifier. */
export const JUDGMENT_FILTERS = ["any", "pass", "fail", "defer", "mixed", "none", "disagrees"] as const;

/** One of {@link JUDGMENT_FILTERS}. */
export type JudgmentFilter = (typeof JUDGMENT_FILTERS)[number];

/**
 * What the trials of a job tell of its verifier, as a filter. `suspect`: it may have crashed, see `Suspicion`. `unsteady`:
 * it gave the same output of the same task another reward, in this job or another.
 */
export const VERIFIER_FILTERS = ["suspect", "unsteady"] as const;

/** One of {@link VERIFIER_FILTERS}. */
export type VerifierFilter = (typeof VERIFIER_FILTERS)[number];

/** Verdicts as a filter, the worst first. */
export const VERDICTS = [
  "mismatch",
  "incomplete",
  "explained",
  "ulp",
  "not-recorded",
  "exact",
] as const satisfies readonly Verdict[];

/** Kinds of figures as a filter. */
export const FIGURE_KINDS = [
  "outcome",
  "counter",
  "total",
  "metric",
  "pass-at-k",
  "reward-stats",
  "exception-stats",
  "reward-file",
] as const satisfies readonly FigureKind[];

/** Columns the tasks table can be sorted by. */
export const TASK_SORTS = ["passed", "task", "reward", "reviewed", "cost", "duration"] as const;

/** Columns the trials table can be sorted by. */
export const TRIAL_SORTS = [
  "task",
  "agent",
  "outcome",
  "reward",
  "exception",
  "cost",
  "duration",
  "tokens",
  "started",
] as const;

/** A range of a number; null is an open end. A trial without the number is in no range. */
export interface NumberRange {
  readonly min: number | null;
  readonly max: number | null;
}

/** What the tabs of a job page are asked to show. Empty lists, texts and open ranges mean no filter. */
export interface JobFilter {
  readonly text: string;
  readonly patterns: readonly TaskPattern[];
  readonly outcomes: readonly Outcome[];
  readonly exceptions: readonly string[];
  readonly agents: readonly string[];
  /** Evals group keys. */
  readonly groups: readonly string[];
  readonly tasks: readonly string[];
  readonly judgments: readonly JudgmentFilter[];
  /** Categories of error tags. */
  readonly tags: readonly string[];
  readonly verifier: readonly VerifierFilter[];
  /** What a regrade did to a trial's reward. */
  readonly flips: readonly Flip[];
  readonly verdicts: readonly Verdict[];
  readonly kinds: readonly FigureKind[];
  /** Reward key that the reward column, filter and sort mean; null is the headline. */
  readonly rewardKey: string | null;
  readonly reward: NumberRange;
  readonly costUsd: NumberRange;
  readonly durationMinutes: NumberRange;
  /** Path of a figure: only the trials behind it. */
  readonly figure: string | null;
  /** Which trials by what their verifiers say of a dimension. */
  readonly dimension: DimensionFilter | null;
  /** Whether a reward follows from its own dimensions. */
  readonly fits: readonly RubricFit[];
  readonly rubric: RubricRequest;
  readonly rubricSort: RubricSort;
  /** Family of tasks whose dimensions are shown; null for all of them. */
  readonly family: string | null;
  readonly taskSort: (typeof TASK_SORTS)[number];
  readonly trialSort: (typeof TRIAL_SORTS)[number];
  readonly descending: boolean;
  /** Whether groups whose agent settings differ are divided by them. */
  readonly isDivided: boolean;
  /** 0-based first group that has a row and a column of its own. */
  readonly groupsFrom: number;
  readonly place: PagePlace;
}

/** Rows on one page of a table of the job page. The trials table loads more of them as one scrolls. */
export const JOB_PAGE_ROWS = 50;

/** Groups of a job that have rows and columns of their own on one page; few jobs have more than a dozen. */
export const MOST_SHOWN_GROUPS = 40;
