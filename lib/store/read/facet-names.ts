/**
 * Facets of the index: `job-` over jobs, `trial-`, `task-` and `figure-` over those of one job. A closed list, because
 * rows are written by these names and read by them.
 */
export const FACETS = [
  "job-agent",
  "job-model",
  "job-dataset",
  "job-state",
  "job-check",
  "trial-outcome",
  "trial-group",
  "trial-setup",
  "trial-exception",
  "trial-reward-key",
  "task-pattern",
  "task-setup-pattern",
  "task-outcome",
  "task-exception",
  "figure-verdict",
  "figure-kind",
  "figure-group",
] as const;

/** One of {@link FACETS}. */
export type FacetName = (typeof FACETS)[number];
