import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import {
  aggregateRewards,
  aggregateStepRewards,
  computeJobStats,
  deriveOutcome,
  dumpPythonJson,
  eligibleK,
  evalsKey,
  normalizeReasonCode,
  parsePythonFloat,
  parsePythonJson,
  passAtKByEvals,
  passAtKForTask,
  pythonRepr,
  pythonRound,
  pythonRoundTo,
  readRewardFiles,
  recoverPython,
  validateRewards,
  type AgentUsage,
  type JobStats,
  type JobStatsTrial,
  type MetricName,
  type PyValue,
  type RewardDict,
  type StepResult,
} from "./index";

type Case = ReadonlyMap<string, PyValue>;
/** The package's and the reference's result of a case, both as text. */
type Check = (fields: Case) => { readonly actual: string; readonly expected: string };

function getText(fields: Case, name: string): string {
  const value = fields.get(name);
  if (typeof value !== "string") throw new Error(`${name} is not text`);
  return value;
}

function getDict(value: PyValue | undefined): Map<string, PyValue> {
  if (value instanceof Map) return value;
  throw new Error("not a dict");
}

function getList(value: PyValue): PyValue[] {
  if (Array.isArray(value)) return value;
  throw new Error("not a list");
}

function getCount(fields: Case, name: string): number {
  return Number(fields.get(name));
}

function getTextOrNull(fields: Case, name: string): string | null {
  return fields.get(name) === null ? null : getText(fields, name);
}

function getBytes(fields: Case, name: string): Uint8Array | null {
  return fields.get(name) === null ? null : Buffer.from(getText(fields, name), "base64");
}

/** Rewards as the vectors carry them: numbers only, which the reference code was given as they are. */
function toRewards(value: PyValue | undefined): RewardDict | null {
  if (value === null || value === undefined) return null;
  const rewards: RewardDict = new Map();
  for (const [key, item] of getDict(value)) {
    if (item === null || typeof item === "string" || typeof item === "object")
      throw new Error("not a reward");
    rewards.set(key, item);
  }
  return rewards;
}

function toStep(value: PyValue): StepResult {
  return value === null ? null : { rewards: toRewards(getDict(value).get("rewards")) };
}

function dumpStep(step: StepResult): string {
  return dumpPythonJson(step === null ? null : new Map<string, PyValue>([["rewards", step.rewards]]));
}

/** The reference's result: its text, or the class it raised. */
function getExpected(fields: Case): string {
  return fields.has("error") ? `raises ${getText(fields, "error")}` : getText(fields, "expected");
}

function isMetric(name: string): name is MetricName {
  return ["mean", "max", "min", "sum"].includes(name);
}

const checkRewardFiles: Check = (fields) => {
  const result = readRewardFiles({
    json: getBytes(fields, "reward_json_b64"),
    text: getBytes(fields, "reward_txt_b64"),
  });
  return {
    actual: result.ok
      ? dumpPythonJson(result.rewards)
      : `raises ${result.error.name} ${result.error.reasonCode}`,
    expected: getExpected(fields) + (fields.has("reason_code") ? ` ${getText(fields, "reason_code")}` : ""),
  };
};

const checkMetric: Check = (fields) => {
  const metric = getText(fields, "metric");
  if (!isMetric(metric)) throw new Error(metric);
  const rewards = getList(parsePythonJson(getText(fields, "rewards"))).map(toRewards);
  const result = aggregateRewards(metric, rewards);
  return {
    actual: result.ok ? dumpPythonJson(result.value) : `raises ${result.error.name}`,
    expected: getExpected(fields),
  };
};

const checkPassAtKByEvals: Check = (fields) => {
  const trials = getList(parsePythonJson(getText(fields, "trials"))).map(getDict);
  const byEvals = passAtKByEvals(
    trials.map((trial) => ({
      taskName: getText(trial, "task_name"),
      agent: getText(trial, "agent"),
      model: getTextOrNull(trial, "model"),
      source: getTextOrNull(trial, "source"),
      rewards: trial.get("rewards") ?? null,
    })),
  );
  const asJson = [...byEvals].map(([key, byK]): [string, PyValue] => [
    key,
    new Map([...byK].map(([k, value]) => [String(k), value])),
  ]);
  return { actual: dumpPythonJson(new Map(asJson)), expected: getExpected(fields) };
};

/** The text of `run`, or the class of the Python exception it raised. */
function tryText(run: () => string): string {
  return recoverPython(run, (error) => `raises ${error.name}`);
}

const checkMultiStep: Check = (fields) => {
  const steps = getList(parsePythonJson(getText(fields, "verifier_results"))).map(toStep);
  const run = (strategy: "mean" | "final"): string =>
    tryText(() => dumpStep(aggregateStepRewards(steps, strategy)));
  return {
    actual: `${run("mean")} | ${run("final")}`,
    expected: `${getText(fields, "mean")} | ${getText(fields, "final")}`,
  };
};

const checkJsonText: Check = (fields) => {
  const text = getText(fields, "text");
  const expected = getExpected(fields);
  return {
    actual: tryText(() => {
      const value = parsePythonJson(text);
      return `${dumpPythonJson(value)} | ${dumpPythonJson(value, { sortKeys: true })}`;
    }),
    expected: fields.has("error") ? expected : `${expected} | ${getText(fields, "sorted")}`,
  };
};

const checkRewardsValidation: Check = (fields) => {
  const result = validateRewards(parsePythonJson(getText(fields, "rewards")));
  const problems = result.ok ? null : result.problems.map(({ type, key }): PyValue => [type, key]);
  return {
    actual: result.ok ? dumpPythonJson(result.rewards) : `raises ValidationError ${dumpPythonJson(problems)}`,
    expected:
      getExpected(fields) + (fields.has("error") ? ` ${dumpPythonJson(fields.get("problems") ?? null)}` : ""),
  };
};

function roundToText(x: number, digits: number): string {
  return pythonRepr(pythonRoundTo(x, digits));
}

const checkRoundRepr: Check = (fields) => {
  const x = parsePythonFloat(getText(fields, "x"));
  const digits = [...getDict(fields.get("digits") ?? new Map<string, PyValue>())];
  const rounded = digits.map(([count]): [string, PyValue] => [count, roundToText(x, Number(count))]);
  return {
    actual: [pythonRepr(x), roundToText(x, 4), pythonRepr(pythonRound(x)), dumpPythonJson(rounded)].join(" "),
    expected: ["x", "round4", "round0"]
      .map((name) => getText(fields, name))
      .concat(dumpPythonJson(digits))
      .join(" "),
  };
};

function toUsage(value: PyValue | undefined): AgentUsage | null {
  if (value === null || value === undefined) return null;
  const usage = getDict(value);
  const read = (name: string): number | null => (usage.get(name) === null ? null : getCount(usage, name));
  return {
    inputTokens: read("n_input_tokens"),
    cacheTokens: read("n_cache_tokens"),
    outputTokens: read("n_output_tokens"),
    costUsd: read("cost_usd"),
  };
}

/** Rewards inside a verifier result, as Harbor holds them once validated. */
function toValidRewards(verifierResult: PyValue): RewardDict | null {
  if (verifierResult === null) return null;
  const result = validateRewards(getDict(verifierResult).get("rewards") ?? null);
  if (!result.ok) throw new Error("not valid rewards");
  return result.rewards;
}

function toList(value: PyValue | undefined): PyValue[] {
  return value === null || value === undefined ? [] : getList(value);
}

type JobTrial = JobStatsTrial & { readonly taskName: string; readonly rewards: RewardDict | null };

/** A trial of the job_stats group. */
function toPlainTrial(value: PyValue): JobTrial {
  const fields = getDict(value);
  return {
    trialName: getText(fields, "trial_name"),
    taskName: getText(fields, "task_name"),
    agent: getText(fields, "agent"),
    model: getTextOrNull(fields, "model"),
    source: getTextOrNull(fields, "source"),
    rewards: toValidRewards(fields.get("rewards") ?? null),
    exceptionType: getTextOrNull(fields, "exception_type"),
    usage: toUsage(fields.get("usage")),
    stepUsages: toList(fields.get("step_usages")).map(toUsage),
  };
}

/** A trial's result.json as Harbor writes it. */
function toRecordedTrial(text: PyValue): JobTrial {
  const fields = getDict(parsePythonJson(typeof text === "string" ? text : "null"));
  const agentInfo = getDict(fields.get("agent_info"));
  const modelInfo = agentInfo.get("model_info");
  const exception = fields.get("exception_info");
  return {
    trialName: getText(fields, "trial_name"),
    taskName: getText(fields, "task_name"),
    agent: getText(agentInfo, "name"),
    model: modelInfo === null ? null : getText(getDict(modelInfo), "name"),
    source: getTextOrNull(fields, "source"),
    rewards: toValidRewards(fields.get("verifier_result") ?? null),
    exceptionType: exception === null ? null : getText(getDict(exception), "exception_type"),
    usage: toUsage(fields.get("agent_result")),
    stepUsages: toList(fields.get("step_results")).map((step) => toUsage(getDict(step).get("agent_result"))),
  };
}

function toJsonDict<T>(
  entries: Iterable<readonly [string, T]>,
  toJson: (value: T) => PyValue,
): Map<string, PyValue> {
  return new Map([...entries].map(([key, value]): [string, PyValue] => [key, toJson(value)]));
}

function toJsonCount(count: number | null): PyValue {
  return count === null ? null : BigInt(count);
}

function toTotals(stats: JobStats): [string, PyValue][] {
  return [
    ["n_input_tokens", toJsonCount(stats.inputTokens)],
    ["n_cache_tokens", toJsonCount(stats.cacheTokens)],
    ["n_output_tokens", toJsonCount(stats.outputTokens)],
    ["cost_usd", stats.costUsd],
  ];
}

/** Evals groups as Harbor writes them; `extra` gives the metrics and pass@k of a group. */
function toEvals(stats: JobStats, extra: (key: string) => [string, PyValue][]): Map<string, PyValue> {
  return new Map(
    [...stats.evals].map(([key, group]): [string, PyValue] => [
      key,
      new Map<string, PyValue>([
        ["n_trials", BigInt(group.nTrials)],
        ["n_errors", BigInt(group.nErrors)],
        ...extra(key),
        [
          "reward_stats",
          toJsonDict(group.rewardStats, (byValue) => toJsonDict(byValue, (names) => [...names])),
        ],
        ["exception_stats", toJsonDict(group.exceptionStats, (names) => [...names])],
      ]),
    ]),
  );
}

const checkJobStats: Check = (fields) => {
  const stats = computeJobStats(getList(parsePythonJson(getText(fields, "trials"))).map(toPlainTrial));
  const actual = new Map<string, PyValue>([
    ["n_completed_trials", BigInt(stats.nCompletedTrials)],
    ["n_errored_trials", BigInt(stats.nErroredTrials)],
    ["n_cancelled_trials", BigInt(stats.nCancelledTrials)],
    ...toTotals(stats),
    ["evals", toEvals(stats, () => [])],
  ]);
  return { actual: dumpPythonJson(actual), expected: getExpected(fields) };
};

/** Recomputes the stats block of a job's result.json from the job's trials alone. */
const checkJobResult: Check = (fields) => {
  const trials = toList(fields.get("trials")).map(toRecordedTrial);
  const recorded = getDict(parsePythonJson(getText(fields, "result_json")));
  const isInterrupted = fields.get("interrupted") === true;
  const metricNames = getDict(fields.get("metrics"));
  const stats = computeJobStats(trials);
  const passAtK = passAtKByEvals(trials);
  const refreshed = new Set(trials.slice(getCount(fields, "n_existing")).map(evalsKey));
  const evals = toEvals(stats, (key) => {
    const group = trials.filter((trial) => evalsKey(trial) === key);
    // A finished job looks its metrics up by what follows the last "__" of the key, so a dataset with "__" in
    // its name has none; an unfinished job has them only for groups with a trial since the last start.
    const dataset = isInterrupted ? (group[0]?.source ?? "") || "adhoc" : (key.split("__").at(-1) ?? "");
    const names = isInterrupted && !refreshed.has(key) ? [] : toList(metricNames.get(dataset));
    const metrics = names.map((name): PyValue => {
      const rewards = group.map((trial) => trial.rewards);
      const result = typeof name === "string" && isMetric(name) ? aggregateRewards(name, rewards) : null;
      return result?.ok === true ? result.value : null;
    });
    const byK = isInterrupted ? [] : [...(passAtK.get(key) ?? [])];
    return [
      ["metrics", metrics],
      ["pass_at_k", new Map(byK.map(([k, value]) => [String(k), value]))],
    ];
  });
  const nPending = getCount(recorded, "n_total_trials") - stats.nCompletedTrials;
  const actual = new Map<string, PyValue>([
    ["n_completed_trials", BigInt(stats.nCompletedTrials)],
    ["n_errored_trials", BigInt(stats.nErroredTrials)],
    ["n_running_trials", 0n],
    ["n_pending_trials", BigInt(nPending)],
    ["n_cancelled_trials", BigInt(stats.nCancelledTrials)],
    ["n_retries", 0n],
    ["evals", evals],
    ...toTotals(stats),
  ]);
  return { actual: dumpPythonJson(actual), expected: dumpPythonJson(recorded.get("stats") ?? null) };
};

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["reward_files", checkRewardFiles],
  ["metrics", checkMetric],
  [
    "pass_at_k_task",
    (fields) => ({
      actual: pythonRepr(passAtKForTask(getCount(fields, "n"), getCount(fields, "c"), getCount(fields, "k"))),
      expected: getExpected(fields),
    }),
  ],
  [
    "eligible_k",
    (fields) => ({
      actual: dumpPythonJson(eligibleK(getCount(fields, "max_k")).map(BigInt)),
      expected: getExpected(fields),
    }),
  ],
  ["pass_at_k_evals", checkPassAtKByEvals],
  ["multi_step", checkMultiStep],
  [
    "outcome",
    (fields) => ({
      actual: deriveOutcome(getBytes(fields, "result_json_b64")).line,
      expected: getExpected(fields),
    }),
  ],
  [
    "reason_codes",
    (fields) => ({
      actual: String(normalizeReasonCode(getTextOrNull(fields, "value"))),
      expected: String(getTextOrNull(fields, "expected")),
    }),
  ],
  ["round_repr", checkRoundRepr],
  ["json_text", checkJsonText],
  ["rewards_validation", checkRewardsValidation],
  ["job_stats", checkJobStats],
  ["job_results", checkJobResult],
]);

const VENDORED = path.join(import.meta.dirname, "conformance", "vectors");
const OUTSIDE = process.env["ASSAY_CONFORMANCE_DIR"];

function defineGroups(directory: string): void {
  for (const file of readdirSync(directory).filter((name) => name.endsWith(".jsonl"))) {
    const group = file.replace(/\.jsonl$/, "");
    const lines = readFileSync(path.join(directory, file), "utf8").split("\n").filter(Boolean);
    it(`${group}: ${String(lines.length)} cases`, () => {
      const check = CHECKS.get(group);
      if (check === undefined) throw new Error(`no check for the group ${group}`);
      const failures = lines.flatMap((line, index) => {
        const { actual, expected } = check(getDict(parsePythonJson(line)));
        return actual === expected ? [] : [{ line: index + 1, actual, expected }];
      });
      expect(failures.slice(0, 5)).toEqual([]);
    });
  }
}

describe("vendored vectors", () => {
  defineGroups(VENDORED);

  it("cover every group", () => {
    const groups = readdirSync(VENDORED).flatMap((name) => /^(.*)\.jsonl$/.exec(name)?.[1] ?? []);
    expect(groups.toSorted()).toEqual([...CHECKS.keys()].toSorted());
  });
});

describe.runIf(OUTSIDE !== undefined)("vectors of ASSAY_CONFORMANCE_DIR", () => {
  if (OUTSIDE !== undefined) defineGroups(OUTSIDE);
});
