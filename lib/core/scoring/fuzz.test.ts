import fc from "fast-check";
import { expect, it } from "vitest";

import { arbitraryMutation, type Mutation } from "@/lib/testing/mutations.fixture";
import { planRuns } from "@/lib/testing/plan-runs";
import { askPython, describeValue, type PythonWay } from "@/lib/testing/python-truth.fixture";

import {
  decodePythonText,
  dumpPythonJson,
  parsePythonFloat,
  parsePythonJson,
  PythonError,
  type PyValue,
  readRewardFiles,
  validateRewards,
} from "./index";
import { parsePythonInt } from "./python/float-parse";

const DOCUMENTS = [
  '{"reward": 0.5, "style": 1, "tests": {"n": 12, "names": ["a", "b\\u00e9\\ud83d\\ude00"], "ok": true}}',
  '[1, -2.5e-3, null, {"a": {"b": [[], {}, ""]}}, 12345678901234567890, -0.0]',
  '{\n  "stats": {"evals": {"a__b": {"metrics": [{"mean": 0.1}], "pass_at_k": {"2": 1.0}}}}\n}\n',
  '"text with \\"quotes\\" and \\n"',
];
const REWARDS = [
  '{"reward": 0.5}',
  '{"reward": 1, "style": true, "depth": "0.25"}',
  '{"reward": "1_000", "b": " 7 ", "c": "inf", "d": "1e5", "e": 3}',
  "null",
];
const NUMBERS = ["0.5", "1\n", " -12.75e-3 ", "1_000.5", "infinity", "9007199254740993", "1e308", "0.1"];

interface Truth {
  readonly way: PythonWay;
  readonly samples: readonly string[];
  readonly read: (bytes: Buffer) => PyValue;
  readonly long: number;
}

const TRUTHS: readonly Truth[] = [
  {
    way: "json",
    samples: DOCUMENTS,
    long: 160_000,
    read: (bytes) => parsePythonJson(decodePythonText(bytes)),
  },
  {
    way: "float",
    samples: NUMBERS,
    long: 80_000,
    read: (bytes) => parsePythonFloat(decodePythonText(bytes)),
  },
  { way: "int", samples: NUMBERS, long: 40_000, read: (bytes) => parsePythonInt(decodePythonText(bytes)) },
];

/** Input of one call of Python. */
const BATCH = 20_000;

it.each(TRUTHS)(
  "$way: a file is read as Python reads it, whatever it holds",
  ({ way, samples, read, long }) => {
    const { numRuns, seed } = planRuns({ short: 800, long });
    compare(way, arbitraryMutation(samples), { numRuns, seed }, ({ bytes }) =>
      answer(() => describeValue(read(bytes))),
    );
  },
);

it("rewards are validated as pydantic does, whatever they are", () => {
  const { numRuns, seed } = planRuns({ short: 800, long: 80_000 });
  compare("rewards", arbitraryMutation(REWARDS), { numRuns, seed }, ({ bytes }) =>
    answer(() => {
      const checked = validateRewards(parsePythonJson(decodePythonText(bytes)));
      if (checked.ok) return describeValue(checked.rewards);
      const keys = [...new Set(checked.problems.flatMap(({ key }) => (key === null ? [] : [key])))];
      return `!${describeValue(keys)}`;
    }),
  );
});

it("a reward file is rewards or one of Harbor's four errors, and rewards survive being written", () => {
  fc.assert(
    fc.property(arbitraryMutation([...REWARDS, ...NUMBERS]), fc.boolean(), ({ bytes }, isJson) => {
      const result = readRewardFiles(isJson ? { json: bytes, text: null } : { json: null, text: bytes });
      if (!result.ok) expect(result.error.reasonCode).toMatch(/^harbor_reward_/);
      else
        expect(describeValue(parsePythonJson(dumpPythonJson(result.rewards)))).toBe(
          describeValue(result.rewards),
        );
    }),
    planRuns({ short: 800, long: 80_000 }),
  );
});

function compare(
  way: PythonWay,
  cases: fc.Arbitrary<Mutation>,
  { numRuns, seed }: { readonly numRuns: number; readonly seed: number },
  read: (one: Mutation) => string,
): void {
  for (let from = 0; from < numRuns; from += BATCH) {
    const mutations = fc.sample(cases, { numRuns: Math.min(BATCH, numRuns - from), seed: seed + from });
    const truths = askPython(
      way,
      mutations.map(({ bytes }) => bytes),
    );
    for (const [at, one] of mutations.entries()) {
      const actual = read(one);
      const truth = truths?.[at];
      if (truth === undefined || truth === "?" || isDeeperThanSome(one.text)) continue;
      if (actual !== truth) expect(actual, JSON.stringify(one.bytes.toString("latin1"))).toBe(truth);
    }
  }
}

/** Each CPython version refuses another depth; another test shows that both of ours refuse 1,500. */
function isDeeperThanSome(text: string): boolean {
  return text.split(/[[{]/, 902).length > 900;
}

function answer(describe: () => string): string {
  try {
    return describe();
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    return error.name === "RecursionError" ? "!RecursionError" : "!ValueError";
  }
}
