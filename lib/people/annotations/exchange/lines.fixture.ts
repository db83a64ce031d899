/** A line as an export writes it. */
export const line = (change: object = {}) => ({
  schema: "assay.annotation/1",
  version_id: "v1",
  version: 1,
  status: "current",
  withdrawn_at: null,
  trial_id: null,
  job_id: null,
  trial_name: "tidy-ledger__aB3dE7x",
  job_name: "nightly",
  root: "runs",
  task_name: "tidy-ledger",
  agent: "orca",
  model: null,
  outcome_seen: "failed",
  reward_seen: "0.0",
  reviewer_id: "Ana",
  reviewer_discipline: null,
  timestamp: "2026-03-01T09:30:00.000Z",
  judgment: "fail",
  categories: [],
  notes: null,
  saved_by: null,
  withdrawn_by: null,
  ...change,
});

/** A file of lines. */
export const text = (...lines: readonly (object | string)[]) =>
  lines.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join("");
