import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  aggregateRewards,
  compareCodePoints,
  dumpPythonJson,
  eligibleK,
  parsePythonFloat,
  parsePythonJson,
  passAtKByEvals,
  passAtKForTask,
  pythonRepr,
  pythonRound,
  pythonRoundTo,
  pythonSum,
  sameBits,
  ulpDistance,
  validateRewards,
  type PyValue,
} from "./index";

const double = fc.double();
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const int = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
const text = fc.string({ unit: "binary" });

const { value: pyValue } = fc.letrec<{ value: PyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    int,
    double,
    text,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie("value")), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}));

const task = fc
  .integer({ min: 1, max: 60 })
  .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n })));

describe("JSON", () => {
  it("parse undoes dump", () => {
    fc.assert(
      fc.property(pyValue, (value) => {
        expect(parsePythonJson(dumpPythonJson(value))).toEqual(value);
      }),
    );
  });

  it("agrees with JSON.parse on what both read", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const toPlain = (value: PyValue): unknown => {
          if (typeof value === "bigint") return Number(value);
          if (Array.isArray(value)) return value.map(toPlain);
          if (!(value instanceof Map)) return value;
          return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]));
        };
        // JSON text has one zero for both languages' int 0, where JavaScript alone keeps the sign of "-0".
        const expected = JSON.parse(json, (_, item: unknown) => (item === 0 ? 0 : item)) as unknown;
        const actual = JSON.parse(JSON.stringify(toPlain(parsePythonJson(json)))) as unknown;
        expect(actual).toEqual(expected);
      }),
    );
  });
});

describe("floats", () => {
  it("repr reads back as the same double", () => {
    fc.assert(fc.property(double, (x) => sameBits(parsePythonFloat(pythonRepr(x)), x)));
  });

  it("rounding is idempotent, odd, and no further than half a unit", () => {
    fc.assert(
      fc.property(finite, fc.integer({ min: 0, max: 12 }), (x, digits) => {
        const rounded = pythonRoundTo(x, digits);
        expect(pythonRoundTo(rounded, digits)).toBe(rounded);
        expect(pythonRoundTo(-x, digits)).toBe(-rounded);
        expect(Math.abs(rounded - x)).toBeLessThanOrEqual(
          0.5 * 10 ** -digits * (1 + 1e-9) + Math.abs(x) * 1e-15,
        );
      }),
    );
  });

  it("rounding to no digits is rounding to an int", () => {
    fc.assert(
      fc.property(finite, (x) => {
        expect(pythonRoundTo(x, 0) + 0).toBe(Number(pythonRound(x)));
      }),
    );
  });

  it("the ulp distance is symmetric and 0 only for equals", () => {
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        expect(ulpDistance(a, b)).toBe(ulpDistance(b, a));
        expect(ulpDistance(a, b) === 0).toBe(a === b);
      }),
    );
  });
});

describe("sums and metrics", () => {
  it("both summations are exact on ints, in any order", () => {
    fc.assert(
      fc.property(fc.array(int), (values) => {
        const exact = values.reduce((total, value) => total + value, 0n);
        expect(pythonSum(values)).toBe(exact);
        expect(pythonSum(values.toReversed(), "sequential")).toBe(exact);
      }),
    );
  });

  it("the compensated sum is the exact sum rounded once where every operand is a small decimal", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 60 }),
        (hundredths) => {
          const total = hundredths.reduce((sum, value) => sum + value, 0);
          const sum = Number(pythonSum(hundredths.map((value) => value / 100)));
          expect(ulpDistance(sum, total / 100)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it("max and min do not depend on the order of finite rewards, and bound the mean", () => {
    const rewards = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(rewards, (values) => {
        const run = (metric: "mean" | "max" | "min", list: readonly number[]): number => {
          const result = aggregateRewards(
            metric,
            list.map((value) => new Map([["reward", value]])),
          );
          return result.ok ? Number(result.value.get(metric)) : NaN;
        };
        const reversed = values.toReversed();
        expect(run("max", values) + 0).toBe(run("max", reversed) + 0);
        expect(run("min", values) + 0).toBe(run("min", reversed) + 0);
        expect(run("mean", values)).toBeLessThanOrEqual(run("max", values) + 1e-12);
        expect(run("mean", values)).toBeGreaterThanOrEqual(run("min", values) - 1e-12);
      }),
    );
  });

  it("validation changes nothing that is valid already", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.oneof(double, int))), (entries) => {
        expect(validateRewards(new Map(entries))).toEqual({ ok: true, rewards: new Map(entries) });
      }),
    );
  });

  it("code point order is a total order that agrees with the code points", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const points = (value: string): number[] => Array.from(value, (char) => char.codePointAt(0) ?? 0);
        const [left, right] = [points(a), points(b)];
        const at = left.findIndex((point, index) => point !== right[index]);
        const expected = at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(expected));
      }),
    );
  });
});

describe("pass@k", () => {
  it("lies in [0, 1], grows with k and with c", () => {
    fc.assert(
      fc.property(task, fc.integer({ min: 1, max: 59 }), ([n, c], k) => {
        const value = passAtKForTask(n, c, k);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(passAtKForTask(n, c, k + 1)).toBeGreaterThanOrEqual(value - 1e-12);
        if (c < n) expect(passAtKForTask(n, c + 1, k)).toBeGreaterThanOrEqual(value - 1e-12);
      }),
    );
  });

  it("at k = 1 is the share of successes", () => {
    fc.assert(
      fc.property(task, ([n, c]) => {
        expect(passAtKForTask(n, c, 1)).toBeCloseTo(c / n, 12);
      }),
    );
  });

  it("does not depend on the order of attempts within a task", () => {
    const attempts = fc.array(fc.boolean(), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(attempts, (results) => {
        const run = (list: readonly boolean[]): unknown =>
          passAtKByEvals(
            list.map((isPass) => ({
              taskName: "task",
              agent: "agent",
              model: null,
              source: null,
              rewards: new Map([["reward", isPass ? 1n : 0n]]),
            })),
          );
        expect(run(results.toReversed())).toEqual(run(results));
      }),
    );
  });

  it("eligible k are ascending, at least 2, and never beyond the attempts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2000 }), (maxK) => {
        const values = eligibleK(maxK);
        expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
        expect(
          values.every((k) => k >= 2 && k <= maxK && (k % 5 === 0 || Number.isInteger(Math.log2(k)))),
        ).toBe(true);
      }),
    );
  });
});
