import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { planRuns } from "@/lib/testing/plan-runs";

import {
  agreementOf,
  calibrate,
  confidenceOf,
  ingestVerifierArtifacts,
  parseAnnotation,
  parseConfidence,
  parseDimensionScore,
  parseErrorTag,
  parseEvaluationResult,
  parseFeedbackAnnotation,
  parseRubric,
  parseRubricDimension,
  parseRubricResult,
  parseVerifierSpec,
  resolveAdjudication,
  scoreRubric,
  toRubricDetails,
  type Contract,
  type EvaluationResult,
  type Parsed,
  type Strictness,
} from "./index";

const PLAN = planRuns({ short: 600, long: 20_000 });
const PARSERS = [
  parseAnnotation,
  parseConfidence,
  parseDimensionScore,
  parseErrorTag,
  parseEvaluationResult,
  parseFeedbackAnnotation,
  parseRubric,
  parseRubricDimension,
  parseRubricResult,
  parseVerifierSpec,
];
const strictness = fc.constantFrom<Strictness>("strict", "default", "reference");
const contract = fc.constantFrom<Contract>("seed", "head");
const number = fc.oneof(fc.double(), fc.double({ min: 0, max: 1 }), fc.integer());
const key = fc.oneof(
  fc.string(),
  fc.constantFrom("__proto__", "constructor", "toString", "reward", "judgment"),
);
const anything = fc.oneof(
  fc.anything({
    key,
    withBigInt: true,
    withDate: true,
    withMap: true,
    withTypedArray: true,
    withSparseArray: true,
  }),
  fc.string(),
  fc.json(),
);
/** Sometimes what belongs there, sometimes not. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary }, { weight: 1, arbitrary: anything });

const word = fc.string({ minLength: 1 });
const judgment = fc.constantFrom("pass", "fail", "defer");
const moment = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.integer({ min: -2e10, max: 2e13 }),
  fc.double({ noNaN: true }),
  fc.constant("2026-03-13 10:00"),
);
const bounds = fc.tuple(number, number).map((pair) => pair.toSorted((a, b) => a - b));
const annotation = fc.record(
  {
    reviewer_id: maybe(word),
    timestamp: maybe(moment),
    judgment: maybe(judgment),
    categories: maybe(fc.array(word)),
  },
  { requiredKeys: ["reviewer_id", "timestamp", "judgment"] },
);
const result = fc.record(
  {
    reward: maybe(fc.double({ min: 0, max: 1 })),
    validity: fc.record({
      output_parseable: maybe(fc.boolean()),
      schema_valid: maybe(fc.boolean()),
      verifier_completed: maybe(fc.boolean()),
    }),
    breakdown: maybe(fc.dictionary(key, fc.jsonValue())),
    error_taxonomy: maybe(fc.array(fc.record({ category: maybe(word), source: fc.constant("judge") }))),
    confidence: fc.record({ confidence_interval: bounds }, { requiredKeys: [] }),
    annotations: fc.array(annotation, { maxLength: 2 }),
  },
  { requiredKeys: ["reward", "validity"] },
);

/** Nested lists or objects, made without recursion. */
function nest(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

const fine = {
  reward: 0.5,
  validity: { output_parseable: true, schema_valid: true, verifier_completed: true },
};

describe("nothing throws", () => {
  it("any parsed input", () => {
    fc.assert(
      fc.property(anything, strictness, contract, (value, level, version) => {
        for (const parse of PARSERS) {
          const parsed = parse(value, { strictness: level, contract: version });
          expect(parsed.ok || parsed.issues.length > 0).toBe(true);
        }
      }),
    );
  });

  it("any file of a verifier", () => {
    const file = fc.option(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => new TextEncoder().encode(text)),
      ),
    );
    fc.assert(
      fc.property(
        file,
        file,
        fc.boolean(),
        fc.boolean(),
        strictness,
        (reward, details, parseable, valid, level) => {
          const artifacts = {
            reward,
            details,
            outputParseable: parseable,
            schemaValid: valid,
            strictness: level,
          };
          const parsed = ingestVerifierArtifacts(artifacts);
          if (!parsed.ok) {
            expect(parsed.issues.length).toBeGreaterThan(0);
            return;
          }
          expect(parsed.value.reward).toBeGreaterThanOrEqual(0);
          expect(parsed.value.reward).toBeLessThanOrEqual(1);
          if (!parseable) expect(parsed.value.reward).toBe(0);
        },
      ),
    );
  });

  it("any input of untyped callers", () => {
    fc.assert(
      fc.property(anything, anything, (first, second) => {
        const call = (run: (...values: never[]) => unknown, ...values: unknown[]): unknown =>
          Reflect.apply(run, null, values);
        for (const run of [resolveAdjudication, scoreRubric, calibrate, agreementOf, confidenceOf]) {
          expect(() => call(run, first, second)).not.toThrow();
        }
        expect(() => call(ingestVerifierArtifacts, first)).not.toThrow();
      }),
    );
  });

  it.each([
    [
      "a cycle",
      () => {
        const value: Record<string, unknown> = {};
        value["self"] = value;
        return value;
      },
    ],
    [
      "a getter that throws",
      () => ({
        get reward() {
          throw new Error("no");
        },
      }),
    ],
    [
      "a revoked proxy",
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
    ["lists without end", () => nest(100_000, (inner) => [inner])],
    ["objects without end", () => nest(100_000, (inner) => ({ breakdown: inner }))],
    ["text without end", () => "[".repeat(1_000_000)],
    ["a list of four thousand million holes", (): unknown => new Array<number>(2 ** 32 - 1)],
    ["a function", () => () => 1],
    ["a symbol", () => Symbol("x")],
    ["a bigint", () => 10n ** 400n],
    ["an invalid date", () => new Date(NaN)],
    ["undefined", () => undefined],
  ])("%s", (_name, make) => {
    for (const parse of PARSERS) {
      expect(parse(make()).ok).toBe(false);
      expect(parse({ ...fine, breakdown: make() }).ok && make() !== undefined).toBe(false);
    }
  });
});

describe("much of the same", () => {
  const validity = { ...fine.validity, errors: [] };

  it("lists a fault a line, keys that do not belong before the fields of the same object", () => {
    const tags = Array.from({ length: 20_000 }, () => ({ source: "human", extra: 1 }));
    const parsed = parseEvaluationResult({ ...fine, error_taxonomy: tags });
    const issues = parsed.ok ? [] : parsed.issues;
    expect(issues).toHaveLength(40_000);
    expect(issues.slice(-2).map((issue) => issue.path.join("."))).toEqual([
      "error_taxonomy.19999.extra",
      "error_taxonomy.19999.category",
    ]);
  });

  it.each([
    ["faults", { ...fine, validity: { ...validity, errors: Array.from({ length: 200_000 }, () => 1) } }],
    [
      "keys",
      {
        ...fine,
        ...Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`k${String(index)}`, 1])),
      },
    ],
  ])("does not throw on more %s than can be listed", (_name, value) => {
    const parsed = parseEvaluationResult(value);
    expect(parsed.ok ? [] : parsed.issues).not.toEqual([]);
  });
});

describe("what is parsed", () => {
  it("parses to itself", () => {
    let accepted = 0;
    fc.assert(
      fc.property(result, strictness, contract, (value, level, version) => {
        const options = { strictness: level, contract: version };
        const parsed = parseEvaluationResult(value, options);
        if (!parsed.ok) return;
        accepted++;
        expect(parseEvaluationResult(parsed.value, options)).toEqual(parsed);
      }),
      PLAN,
    );
    // Else the property would have looked at nothing.
    expect(accepted).toBeGreaterThan(100);
  });

  it("is read the more the laxer", () => {
    fc.assert(
      fc.property(result, (value) => {
        const levels: Strictness[] = ["strict", "default", "reference"];
        const [strict, usual, reference] = levels.map((level) =>
          parseEvaluationResult(value, { strictness: level }),
        );
        if (strict?.ok === true) expect(usual).toEqual(strict);
        if (usual?.ok === true) expect(reference).toEqual(usual);
      }),
      planRuns({ short: 200, long: 20_000 }),
    );
  });

  it("keeps every key of the breakdown as its own field", () => {
    const text = '{"__proto__": {"polluted": 1}, "constructor": 2, "reward": 3}';
    const parsed = ingestVerifierArtifacts({
      reward: new TextEncoder().encode('{"reward": 1}'),
      details: new TextEncoder().encode(text),
      outputParseable: true,
      schemaValid: true,
    });
    expect(parsed.ok && JSON.stringify(parsed.value.breakdown)).toBe(JSON.stringify(JSON.parse(text)));
    expect("polluted" in {}).toBe(false);
  });

  it("is as deep as a text can be, and no deeper", () => {
    const read = (levels: number): Parsed<EvaluationResult> =>
      ingestVerifierArtifacts({
        reward: null,
        details: new TextEncoder().encode('{"a":'.repeat(levels) + "1" + "}".repeat(levels)),
        outputParseable: true,
        schemaValid: true,
      });
    const deepest = read(1000);
    expect(deepest.ok && parseEvaluationResult(deepest.value).ok).toBe(true);
    expect(read(1001)).toMatchObject({ issues: [{ path: ["breakdown"], code: "RecursionError" }] });
  });

  it("does not find a reward on the prototype", () => {
    const parsed = ingestVerifierArtifacts({
      reward: new TextEncoder().encode('{"__proto__": {"reward": 1}}'),
      details: null,
      outputParseable: true,
      schemaValid: true,
    });
    expect(parsed).toMatchObject({ ok: true, value: { reward: 0 } });
  });

  it("shares nothing with the input", () => {
    const breakdown = { rows: [1] };
    const parsed = parseEvaluationResult({ ...fine, breakdown });
    breakdown.rows.push(2);
    expect(parsed).toMatchObject({ value: { breakdown: { rows: [1] } } });
  });

  it("shares no default with another value", () => {
    const [first, second] = [parseEvaluationResult(fine), parseEvaluationResult(fine)];
    if (!first.ok || !second.ok) throw new Error("should parse");
    first.value.validity.errors.push("mine");
    expect(second.value.validity.errors).toEqual([]);
  });

  it("copies a part that occurs many times once", () => {
    let shared: unknown = [1];
    for (let level = 0; level < 100; level++) shared = [shared, shared];
    expect(parseEvaluationResult({ ...fine, breakdown: { shared } }).ok).toBe(true);
  });
});

describe("a rubric", () => {
  const dimension = fc.record({
    id: fc.constantFrom("a", "b", "c", "__proto__"),
    weight: fc.double({ min: 0, max: 10, noNaN: true }),
    max_score: fc.double({ noNaN: true }),
  });
  const score = fc.record({
    dimension_id: fc.constantFrom("a", "b", "c", "__proto__"),
    score: fc.double({ noNaN: true }),
    max_score: fc.double({ noNaN: true }),
  });

  it("with weights that are not negative stays between 0 and 1, at four decimals", () => {
    fc.assert(
      fc.property(
        fc.array(dimension),
        fc.array(score),
        fc.constantFrom("min", "weighted_mean"),
        (dimensions, scores, rollup) => {
          const { reward, dimensions: rows } = scoreRubric({ dimensions, rollup_strategy: rollup }, scores);
          fc.pre(!Number.isNaN(reward));
          expect(reward).toBeGreaterThanOrEqual(0);
          expect(reward).toBeLessThanOrEqual(1);
          expect(Number(reward.toFixed(4)) - reward).toBe(0);
          expect(rows.map((row) => row.dimension_id)).toEqual(dimensions.map((row) => row.id));
          expect(Object.keys(toRubricDetails({ reward, dimensions: rows }))).toContain("reward");
        },
      ),
    );
  });
});
