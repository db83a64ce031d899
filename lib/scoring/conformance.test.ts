import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import {
  aggregateRewards,
  aggregateStepRewards,
  deriveOutcome,
  dumpPythonJson,
  eligibleK,
  normalizeReasonCode,
  parsePythonFloat,
  parsePythonJson,
  passAtKByEvals,
  passAtKForTask,
  pythonRepr,
  pythonRound,
  pythonRoundTo,
  PythonError,
  readRewardFiles,
  type MetricName,
  type PyValue,
  type RewardDict,
  type StepResult,
} from "./index";

type Case = ReadonlyMap<string, PyValue>;
/** What the package says of a case and what the reference said, both as text. */
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

/** What the reference gave: its text, or the class it raised. */
function getExpected(fields: Case): string {
  const error = fields.get("error");
  return error === undefined ? getText(fields, "expected") : `raises ${String(error)}`;
}

function isMetric(name: string): name is MetricName {
  return ["mean", "max", "min", "sum"].includes(name);
}

const checkRewardFiles: Check = (fields) => {
  const result = readRewardFiles({
    json: getBytes(fields, "reward_json_b64"),
    text: getBytes(fields, "reward_txt_b64"),
  });
  const code = fields.get("reason_code");
  return {
    actual: result.ok
      ? dumpPythonJson(result.rewards)
      : `raises ${result.error.name} ${result.error.reasonCode}`,
    expected: getExpected(fields) + (code === undefined ? "" : ` ${String(code)}`),
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

const checkMultiStep: Check = (fields) => {
  const steps = getList(parsePythonJson(getText(fields, "verifier_results"))).map(toStep);
  const run = (strategy: "mean" | "final"): string => {
    try {
      return dumpStep(aggregateStepRewards(steps, strategy));
    } catch (error) {
      if (error instanceof PythonError) return `raises ${error.name}`;
      throw error;
    }
  };
  return {
    actual: `${run("mean")} | ${run("final")}`,
    expected: `${getText(fields, "mean")} | ${getText(fields, "final")}`,
  };
};

const checkRoundRepr: Check = (fields) => {
  const x = parsePythonFloat(getText(fields, "x"));
  return {
    actual: [pythonRepr(x), pythonRepr(pythonRoundTo(x, 4)), pythonRepr(pythonRound(x))].join(" "),
    expected: ["x", "round4", "round0"].map((name) => getText(fields, name)).join(" "),
  };
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
      expected: String(fields.get("expected")),
    }),
  ],
  ["round_repr", checkRoundRepr],
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
