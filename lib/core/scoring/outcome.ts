import { toPythonFloat, toPythonInt } from "./python/float-parse";
import { dumpPythonJson } from "./python/json-dump";
import { parsePythonJson } from "./python/json-parse";
import { divideByCount } from "./python/number";
import { pythonRound } from "./python/round";
import { pythonSum, type Summation } from "./python/sum";
import { PythonError, recoverPython, type PyValue } from "./python/value";
import type { KnownReasonCode } from "./reason-codes";
import { decodePythonText } from "./rewards";

export interface Outcome {
  /** `BASE_BENCHMARK_RESULT=` and the fields below as Python JSON with sorted keys. */
  readonly line: string;
  /** `completed` when no trial errored, at any score. */
  readonly status: "completed" | "failed";
  /** Mean over every metric value of every evals group; 0 when there is none. */
  readonly score: number;
  /** `round(score * total)` with the recorded total, halves to even. */
  readonly resolved: bigint;
  readonly total: bigint;
  readonly reasonCode: KnownReasonCode | null;
}

/** The part of a job's result that decides its outcome. */
export interface OutcomeStats {
  readonly nTotalTrials: bigint;
  readonly nCompletedTrials: bigint;
  readonly nErroredTrials: bigint;
  /** Every metric entry of every evals group, groups and entries in recorded order. */
  readonly metrics: readonly ReadonlyMap<string, PyValue>[];
}

const LINE_PREFIX = "BASE_BENCHMARK_RESULT=";

/**
 * Returns the outcome of a job from the bytes of its result.json; null when the file does not exist.
 * @returns reason `harbor_result_missing` or `harbor_result_malformed`, both failed with score 0, resolved 0 and total 0
 * @see agent-challenge evaluation/runner.py, the inline program that prints `BASE_BENCHMARK_RESULT`
 */
export function deriveOutcome(resultJson: Uint8Array | null, summation: Summation = "cpython-3.12"): Outcome {
  if (resultJson === null) return failWithout("harbor_result_missing");
  return orMalformed(() => {
    const stats = readOutcomeStats(parsePythonJson(decodePythonText(resultJson)));
    return computeOutcome(stats, summation);
  });
}

/** Returns the outcome of a job from given figures, as {@link deriveOutcome}; malformed when they make no number. */
export function deriveOutcomeFromStats(stats: OutcomeStats, summation: Summation = "cpython-3.12"): Outcome {
  return orMalformed(() => computeOutcome(stats, summation));
}

function orMalformed(derive: () => Outcome): Outcome {
  return recoverPython(derive, () => failWithout("harbor_result_malformed"));
}

function failWithout(reasonCode: KnownReasonCode): Outcome {
  return withLine({ status: "failed", score: 0, resolved: 0n, total: 0n, reasonCode });
}

function withLine(outcome: Omit<Outcome, "line">): Outcome {
  const { status, score, resolved, total, reasonCode } = outcome;
  const summary = new Map<string, PyValue>([
    ["reason_code", reasonCode],
    ["resolved", resolved],
    ["score", score],
    ["status", status],
    ["total", total],
  ]);
  return { ...outcome, line: LINE_PREFIX + dumpPythonJson(summary, { sortKeys: true }) };
}

function computeOutcome(stats: OutcomeStats, summation: Summation): Outcome {
  const { nTotalTrials, nCompletedTrials, nErroredTrials } = stats;
  const values = stats.metrics.flatMap((metric) => {
    const mean = metric.get("mean");
    return mean === undefined ? [...metric.values()].map(toPythonFloat) : [toPythonFloat(mean)];
  });
  const score = values.length === 0 ? 0 : divideByCount(pythonSum(values, summation), values.length);
  return withLine({
    status: nErroredTrials === 0n ? "completed" : "failed",
    score,
    resolved: pythonRound(score * toPythonFloat(nTotalTrials)),
    total: nTotalTrials === 0n ? nCompletedTrials + nErroredTrials : nTotalTrials,
    reasonCode: null,
  });
}

function readOutcomeStats(result: PyValue): OutcomeStats {
  const data = requireDict(result);
  const stats = getDict(data, "stats");
  return {
    nTotalTrials: readCount(data.get("n_total_trials")),
    nCompletedTrials: readCount(stats.get("n_completed_trials")),
    nErroredTrials: readCount(stats.get("n_errored_trials")),
    metrics: [...getDict(stats, "evals").values()].flatMap(readMetrics),
  };
}

function requireDict(value: PyValue): Map<string, PyValue> {
  if (value instanceof Map) return value;
  throw new PythonError("AttributeError", "object has no attribute 'get'");
}

/** `dict.get(key, {})`, whose result must be a dict. */
function getDict(dict: ReadonlyMap<string, PyValue>, key: string): Map<string, PyValue> {
  const value = dict.get(key);
  return value === undefined ? new Map<string, PyValue>() : requireDict(value);
}

function readMetrics(evalStats: PyValue): Map<string, PyValue>[] {
  const metrics = requireDict(evalStats).get("metrics");
  if (metrics === undefined || isEmpty(metrics)) return [];
  // Python also iterates the characters of a string and the keys of a dict, and fails on the first of them.
  if (!Array.isArray(metrics)) throw new PythonError("TypeError", "metrics is not a list");
  return metrics.map(requireDict);
}

/** `int(value or 0)`. */
function readCount(value: PyValue | undefined): bigint {
  return value === undefined || value === null || isEmpty(value) ? 0n : toPythonInt(value);
}

function isEmpty(value: PyValue): boolean {
  if (value instanceof Map) return value.size === 0;
  return (typeof value === "string" || Array.isArray(value)) && value.length === 0;
}
