export const JOB_TABS = [
  "errors",
  "tasks",
  "trials",
  "dimensions",
  "rubric",
  "verification",
  "lineage",
  "config",
] as const;

export type JobTab = (typeof JOB_TABS)[number];

/**
 * Attempts at a task across the groups of a job. `always`: every attempt passed. `never`: none did. `flaky`: a group passed some
 * of its attempts but not all. `split`: each group is consistent, but they differ.
 */
export const TASK_PATTERNS = ["always", "flaky", "split", "never"] as const;

export type TaskPattern = (typeof TASK_PATTERNS)[number];

/** `pass`, `fail`, `defer`: all reviewers agree, or one decided. `mixed`: several judgments. `disagrees`: against the verifier. */
export const JUDGMENT_FILTERS = ["any", "pass", "fail", "defer", "mixed", "none", "disagrees"] as const;

export type JudgmentFilter = (typeof JUDGMENT_FILTERS)[number];

/** `suspect`: see `Suspicion`. `nondeterministic`: the verifier gave the same output of the task another reward. */
export const VERIFIER_FILTERS = ["suspect", "nondeterministic"] as const;

export type VerifierFilter = (typeof VERIFIER_FILTERS)[number];

/** Groups with their own rows and columns on one page; few jobs have more than a dozen. */
export const MOST_SHOWN_GROUPS = 20;
