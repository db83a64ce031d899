import type { JobRecord, RecordedGroup } from "@/lib/domain/job";
import type { TrialRecord } from "@/lib/domain/trial";
import type { HarborRule } from "@/lib/domain/verification";
import { ADHOC_DATASET } from "@/lib/scoring";

/** A rule of Harbor by which a group has no metrics although it has trials, and the rule in words. */
export interface NoMetrics {
  readonly rule: HarborRule;
  readonly reason: string;
}

/**
 * Finds out why a recorded group states no metrics; null when it states some, and when no rule of Harbor accounts for it.
 * @see harbor 0.24.0 src/harbor/job.py, `run`: `evals_key.split("__")[-1]`
 */
export function explainNoMetrics(
  job: JobRecord,
  recorded: RecordedGroup | null,
  members: readonly TrialRecord[],
): NoMetrics | null {
  const [first] = members;
  if (recorded === null || recorded.metrics.length > 0 || first === undefined) return null;
  if (job.rebuilt !== null) {
    return {
      rule: "rebuilt-job",
      reason: "Harbor computes neither metrics nor pass@k for a job that it rebuilds from trial archives.",
    };
  }
  const dataset = first.source === null || first.source === "" ? ADHOC_DATASET : first.source;
  const looked = recorded.key.slice(recorded.key.lastIndexOf("__") + 2);
  if (job.state !== "finished" || looked === dataset) return null;
  const reason = `At its end Harbor looked for the metrics of "${looked}", the text after the last "__" of the group's key; the dataset is "${dataset}".`;
  return { rule: "dataset-lookup", reason };
}
