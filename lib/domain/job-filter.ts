export const JOB_TABS = [
  "tasks",
  "trials",
  "dimensions",
  "rubric",
  "errors",
  "verification",
  "config",
] as const;

export type JobTab = (typeof JOB_TABS)[number];

/**
 * How the attempts at a task went over the groups of a job. `always`: every attempt passed. `never`: none did.
 * `flaky`: some group passed some of its attempts but not all. `split`: each group is consistent, but they differ.
 */
export const TASK_PATTERNS = ["always", "flaky", "split", "never"] as const;

export type TaskPattern = (typeof TASK_PATTERNS)[number];

/** What reviewers say of a trial, as a filter: anything, a judgment all share or somebody decided, several, nothing, or one against the verifier. */
export const JUDGMENT_FILTERS = ["any", "pass", "fail", "defer", "mixed", "none", "disagrees"] as const;

export type JudgmentFilter = (typeof JUDGMENT_FILTERS)[number];

/**
 * Filters of trials: the verifier may have crashed (see `Suspicion`), or gave the same output of the task another reward.
 */
export const VERIFIER_FILTERS = ["suspect", "nondeterministic"] as const;

export type VerifierFilter = (typeof VERIFIER_FILTERS)[number];

export const TASK_SORTS = ["passed", "task", "reward", "reviewed", "cost", "duration"] as const;

export const TRIAL_SORTS = [
  "task",
  "agent",
  "outcome",
  "reward",
  "exception",
  "cost",
  "duration",
  "tokens",
  "steps",
  "errors",
  "started",
] as const;

export const JOB_PAGE_ROWS = 50;

/** Groups of a job that have rows and columns of their own on one page; few jobs have more than a dozen. */
export const MOST_SHOWN_GROUPS = 40;
