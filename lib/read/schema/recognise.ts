import type { PyValue } from "@/lib/core/scoring";

import { type PlainValue, toPlainValue } from "./plain-value";

/** Harbor files, detected by keys and never by file name. */
export type HarborDocument = "job-result" | "trial-result" | "job-config" | "trial-config";

export type ForeignDocument = "terminal-bench-1" | "trial-summary" | "trajectory" | "ledger-record";

const JOB_CONFIG_KEYS = ["job_name", "jobs_dir", "n_attempts", "orchestrator", "n_concurrent_trials"];

export function recogniseHarborDocument(value: PyValue): HarborDocument | null {
  if (!(value instanceof Map)) return null;
  if (value.has("trial_name")) return recogniseTrialDocument(value);
  if (value.get("stats") instanceof Map || (value.has("n_total_trials") && value.has("id")))
    return "job-result";
  const isJobConfig =
    JOB_CONFIG_KEYS.some((key) => value.has(key)) || (value.has("agents") && value.has("datasets"));
  return isJobConfig ? "job-config" : null;
}

function recogniseTrialDocument(value: ReadonlyMap<string, PyValue>): HarborDocument | null {
  if (value.has("is_resolved") || value.has("parser_results")) return null;
  if (["agent_info", "task_checksum", "verifier_result"].some((key) => value.has(key))) return "trial-result";
  if (value.has("trials_dir") || value.get("task") instanceof Map) return "trial-config";
  return value.has("task_name") ? "trial-result" : null;
}

export function recogniseForeignDocument(value: PyValue): ForeignDocument | null {
  if (!(value instanceof Map)) return null;
  if (value.has("is_resolved") || value.has("parser_results") || value.has("n_resolved"))
    return "terminal-bench-1";
  if (isLedgerRecord(value)) return "ledger-record";
  const version = value.get("schema_version");
  if (typeof version === "string" && version.startsWith("ATIF-") && Array.isArray(value.get("steps")))
    return "trajectory";
  const trials = value.get("trials");
  const isSummary =
    Array.isArray(trials) && (value.has("status") || value.has("summary")) && value.has("task");
  return isSummary ? "trial-summary" : null;
}

/** Detects an aec-bench ledger record: version 2 names its run, version 1 is self-contained. */
function isLedgerRecord(value: ReadonlyMap<string, PyValue>): boolean {
  if (!value.has("trial_id")) return false;
  if (value.has("run_id") && value.has("execution_status")) return true;
  return value.has("experiment_id") && value.get("task") instanceof Map && value.get("agent") instanceof Map;
}

export interface TrialDocument {
  readonly plain: PlainValue;
  readonly exact: ReadonlyMap<string, PyValue>;
}

export function prepareTrialDocument(value: PyValue): TrialDocument | null {
  if (!(value instanceof Map) || recogniseHarborDocument(value) !== "trial-result") return null;
  return { plain: toPlainValue(value), exact: value };
}
