import type { JobRecord, RecordedGroup } from "@/lib/core/domain/job";
import { countsUnder, type Trial } from "@/lib/core/domain/trial";
import type { RecomputedGroup } from "@/lib/core/domain/verification";
import {
  aggregateRewards,
  type MetricName,
  passAtKForGroup,
  type PyNumber,
  type PyValue,
  type ScoringRule,
  type Summation,
} from "@/lib/core/scoring";

import { compareNumbers, MAX_ULPS } from "./compare-numbers";
import { iterateOrders, type OrderedTrials } from "./order";

export type GroupNumbers = ReturnType<typeof computeGroupNumbers>;

const METRIC_NAMES: readonly string[] = ["mean", "max", "min", "sum"] satisfies readonly MetricName[];

export function isBuiltInMetric(type: string): type is MetricName {
  return METRIC_NAMES.includes(type);
}

/**
 * Computes every metric and Harbor's pass@k of one group's finished trials, in the order of the operands. A script has neither
 * value nor error.
 */
export function computeGroupNumbers(
  rule: ScoringRule,
  types: readonly string[],
  trials: readonly Trial[],
  summation: Summation,
) {
  const scored = trials.filter((trial) => countsUnder(trial, rule));
  const rewards = scored.map((trial) => trial.rewards);
  const metrics = types.map((type) => {
    if (!isBuiltInMetric(type) || (scored.length === 0 && trials.length > 0))
      return { type, value: null, error: null };
    const result = aggregateRewards(type, rewards, summation);
    return result.ok
      ? { type, value: result.value, error: null }
      : { type, value: null, error: result.error.name };
  });
  const passAtK = scored.length === 0 ? new Map<number, number>() : passAtKForGroup(scored, summation);
  return { metrics, passAtK };
}

export function explainIneligible(
  all: readonly Trial[],
  rule: ScoringRule,
): RecomputedGroup["passAtKIneligible"] {
  const trials = all.filter((trial) => countsUnder(trial, rule));
  if (trials.length === 0) return "no-trials";
  const scored = trials.flatMap((trial) => (trial.rewards === null ? [] : [trial.rewards]));
  if (scored.some((rewards) => rewards.size !== 1)) return "several-reward-keys";
  const isBinary = (value: bigint | number | boolean) => Number(value) === 0 || Number(value) === 1;
  if (!scored.every((rewards) => [...rewards.values()].every(isBinary))) return "reward-not-0-or-1";
  const byTask = Map.groupBy(trials, (trial) => trial.taskName);
  return [...byTask.values()].some((attempts) => attempts.length < 2) ? "one-attempt" : null;
}

export interface MetricType {
  readonly type: string;
  /** True if config.json does not name it and its entry does: by its name, or as the only type that gives its values. */
  readonly isFound: boolean;
}

/**
 * Returns the types of a group's metrics: one per recorded entry, then those of config.json without one, by default one mean. An
 * entry of one key is named after its metric. An entry of several reward keys has config.json's type, unless a dataset may have
 * added metrics. Then it is the built-in type that gives every value, or `unknown`.
 * @see harbor 0.24.0 src/harbor/job.py, `_resolve_metrics` and `_resolve_dataset_metrics`
 */
export function resolveMetricTypes(
  job: JobRecord,
  recorded: RecordedGroup | null,
  members: readonly Trial[],
  summation: Summation,
): MetricType[] {
  const configured = job.metricTypes.length === 0 && !job.mayBringMetrics ? ["mean"] : job.metricTypes;
  if (recorded === null || recorded.metrics.length === 0) {
    return (configured.length === 0 ? ["mean"] : configured).map((type) => ({ type, isFound: false }));
  }
  const nBrought = job.mayBringMetrics ? recorded.metrics.length - configured.length : 0;
  const isWhole = !job.mayBringMetrics && job.sourceJobs.length === 0;
  const missing = isWhole ? configured.slice(recorded.metrics.length) : [];
  const last = configured.at(-1) ?? "unknown";
  const found = recorded.metrics.map((entry, index): MetricType => {
    const own = configured[index - nBrought];
    if (own !== undefined && !isBuiltInMetric(own)) return { type: own, isFound: false };
    const name = readMetricName(entry, own ?? "mean");
    if (name !== null) {
      const isDefault = configured.length === 0 && recorded.metrics.length === 1 && name === "mean";
      return { type: name, isFound: name !== own && !isDefault };
    }
    if (!job.mayBringMetrics) return { type: own ?? last, isFound: false };
    // Only a job that starts from others can lack the metrics of its config.
    if (own !== undefined && job.sourceJobs.length === 0) return { type: own, isFound: false };
    const candidates = own === undefined ? METRIC_NAMES : [own, ...METRIC_NAMES];
    const type = candidates.find((candidate) => fits(job, recorded, entry, candidate, members, summation));
    return { type: type ?? "unknown", isFound: type !== own };
  });
  return [...found, ...missing.map((type) => ({ type, isFound: false }))];
}

function readMetricName(entry: PyValue, ifEmpty: string): string | null {
  if (!(entry instanceof Map) || entry.size > 1) return null;
  const [name = ifEmpty] = entry.keys();
  return isBuiltInMetric(name) ? name : null;
}

/** True if a type gives every value of an entry, in any order of the trials. */
function fits(
  job: JobRecord,
  recorded: RecordedGroup,
  entry: PyValue,
  type: string,
  members: readonly Trial[],
  summation: Summation,
): boolean {
  if (!(entry instanceof Map)) return false;
  for (const { trials } of iterateOrders(job, members, recorded)) {
    const value = computeGroupNumbers(job.scoringRule, [type], trials, summation).metrics[0]?.value;
    if (value?.size !== entry.size) return false;
    const isSame = [...value].every(([key, number]) => {
      const stated = entry.get(key);
      return stated !== undefined && compareNumbers(stated, number).verdict !== "mismatch";
    });
    if (isSame) return true;
  }
  return false;
}

export interface NumberPair {
  readonly path: string;
  readonly recorded: PyValue | undefined;
  readonly recomputed: PyNumber | undefined;
}

/** The order of operands that reproduces a group's recorded numbers best. */
export interface ChosenOrder extends OrderedTrials {
  readonly numbers: GroupNumbers;
  /** Paths that only the other summation reproduces to the last bit. */
  readonly exactOtherwise: ReadonlySet<string>;
}

export function pairNumbers(recorded: RecordedGroup | null, numbers: GroupNumbers): NumberPair[] {
  const metrics = numbers.metrics.flatMap((metric, index) => {
    const entry = recorded?.metrics[index];
    const stated = entry instanceof Map ? entry : new Map<string, PyValue>();
    const keys = new Set([...stated.keys(), ...(metric.value?.keys() ?? [])]);
    return [...keys].map((key) => ({
      path: `metrics[${index}].${key}`,
      recorded: stated.get(key),
      recomputed: metric.value?.get(key),
    }));
  });
  const ks = new Set([...(recorded?.passAtK?.keys() ?? []), ...[...numbers.passAtK.keys()].map(String)]);
  const passAtK = [...ks].map((k) => ({
    path: `pass_at_k.${k}`,
    recorded: recorded?.passAtK?.get(k),
    recomputed: numbers.passAtK.get(Number(k)),
  }));
  return [...metrics, ...passAtK];
}

/** Returns the first order of operands that reproduces every recorded number, else the closest one. */
export function chooseOrder(
  job: JobRecord,
  members: readonly Trial[],
  recorded: RecordedGroup | null,
  types: readonly string[],
  summation: Summation,
): ChosenOrder {
  let best: (ChosenOrder & { readonly distance: number }) | null = null;
  for (const { order, trials } of iterateOrders(job, members, recorded)) {
    const numbers = computeGroupNumbers(job.scoringRule, types, trials, summation);
    const distance = measureDistance(pairNumbers(recorded, numbers));
    if (best === null || distance < best.distance) {
      best = { order, trials, numbers, exactOtherwise: new Set(), distance };
    }
    if (distance === 0) return best;
  }
  if (best === null) throw new Error("There is always at least the directory order.");
  const open = pairNumbers(recorded, best.numbers).filter((pair) => !isExact(pair));
  const other = summation === "sequential" ? "cpython-3.12" : "sequential";
  return { ...best, exactOtherwise: findExact(job, members, recorded, types, other, open) };
}

/** 0 when all are exact. A wrong number outweighs any distance in the last places. */
function measureDistance(pairs: readonly NumberPair[]): number {
  let distance = 0;
  for (const { recorded, recomputed } of pairs) {
    if (recorded === undefined || recomputed === undefined) continue;
    const { verdict, ulps } = compareNumbers(recorded, recomputed);
    if (verdict !== "exact") distance += 1 + (ulps ?? MAX_ULPS * 2) / (MAX_ULPS * 4);
  }
  return distance;
}

function isExact({ recorded, recomputed }: NumberPair): boolean {
  if (recorded === undefined || recomputed === undefined) return true;
  return compareNumbers(recorded, recomputed).verdict === "exact";
}

function findExact(
  job: JobRecord,
  members: readonly Trial[],
  recorded: RecordedGroup | null,
  types: readonly string[],
  summation: Summation,
  open: readonly NumberPair[],
): Set<string> {
  const paths = new Set(open.map((pair) => pair.path));
  const found = new Set<string>();
  for (const { trials } of iterateOrders(job, members, recorded)) {
    if (found.size === paths.size) break;
    for (const pair of pairNumbers(
      recorded,
      computeGroupNumbers(job.scoringRule, types, trials, summation),
    )) {
      if (paths.has(pair.path) && isExact(pair)) found.add(pair.path);
    }
  }
  return found;
}
