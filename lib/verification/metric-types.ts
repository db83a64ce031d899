import type { JobRecord, RecordedGroup } from "@/lib/domain/job";
import type { TrialRecord } from "@/lib/domain/trial";
import type { PyValue, Summation } from "@/lib/scoring";

import { compareNumbers } from "./compare-numbers";
import { computeGroupNumbers, isBuiltInMetric, METRIC_NAMES } from "./group-numbers";
import { iterateOrders } from "./order";

/** One metric of a group. */
export interface MetricType {
  /** A built-in type, else the name of a script, or `unknown`. */
  readonly type: string;
  /** Whether config.json does not name it and its entry does: by its name, or as the only type that gives its values. */
  readonly isFound: boolean;
}

/**
 * The types of a group's metrics, one per recorded entry, else those of config.json, by default one mean. An entry of one
 * key is named after its metric; one of several reward keys is of config.json's type, unless a dataset can have brought
 * metrics: then it is the built-in type that gives every value, `unknown` when none does.
 * @see harbor 0.24.0 src/harbor/job.py, `_resolve_metrics` and `_resolve_dataset_metrics`
 */
export function resolveMetricTypes(
  job: JobRecord,
  recorded: RecordedGroup | null,
  members: readonly TrialRecord[],
  summation: Summation,
): MetricType[] {
  const configured = job.metricTypes.length === 0 && !job.mayBringMetrics ? ["mean"] : job.metricTypes;
  if (recorded === null || recorded.metrics.length === 0) {
    return (configured.length === 0 ? ["mean"] : configured).map((type) => ({ type, isFound: false }));
  }
  const nBrought = job.mayBringMetrics ? recorded.metrics.length - configured.length : 0;
  return recorded.metrics.map((entry, index) => {
    const own = configured[index - nBrought];
    if (own !== undefined && !isBuiltInMetric(own)) return { type: own, isFound: false };
    const name = readMetricName(entry);
    if (name !== null) {
      const isDefault = configured.length === 0 && recorded.metrics.length === 1 && name === "mean";
      return { type: name, isFound: name !== own && !isDefault };
    }
    if (!job.mayBringMetrics) return { type: own ?? configured.at(-1) ?? "unknown", isFound: false };
    // Only a job that starts from others can lack the metrics of its config.
    if (own !== undefined && job.sourceJobs.length === 0) return { type: own, isFound: false };
    const candidates = own === undefined ? METRIC_NAMES : [own, ...METRIC_NAMES];
    const type = candidates.find((candidate) => fits(job, recorded, entry, candidate, members, summation));
    return { type: type ?? "unknown", isFound: type !== own };
  });
}

/** The built-in metric that an entry of one key is named after. */
function readMetricName(entry: PyValue): string | null {
  const [name] = entry instanceof Map && entry.size === 1 ? entry.keys() : [];
  return name !== undefined && isBuiltInMetric(name) ? name : null;
}

/** Whether a type gives every value of an entry, be it in another order of the trials. */
function fits(
  job: JobRecord,
  recorded: RecordedGroup,
  entry: PyValue,
  type: string,
  members: readonly TrialRecord[],
  summation: Summation,
): boolean {
  if (!(entry instanceof Map)) return false;
  for (const { trials } of iterateOrders(job, members, recorded)) {
    const value = computeGroupNumbers([type], trials, summation).metrics[0]?.value;
    if (value?.size !== entry.size) return false;
    const isSame = [...value].every(([key, number]) => {
      const stated = entry.get(key);
      return stated !== undefined && compareNumbers(stated, number).verdict !== "mismatch";
    });
    if (isSame) return true;
  }
  return false;
}
