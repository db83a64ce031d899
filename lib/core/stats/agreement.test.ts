import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type Agreement, type Coefficient, type RatedItem, computeAgreement } from "./agreement";
import reference from "./reference/agreement.json";
import type { Unavailable } from "./unavailable";

const FEW = { resamples: 200 };
const SCALE = { ...FEW, categories: ["pass", "fail"] };

function readRaters(raters: readonly string[], categories: readonly string[]): RatedItem[] {
  return Array.from(raters[0] ?? "", (_, item) => ({
    task: String(item),
    labels: raters.map((text) => categories[Number(text[item])] ?? null),
  }));
}

function expectAgreement(
  items: readonly RatedItem[],
  options: Parameters<typeof computeAgreement>[1],
): Agreement {
  const agreement = computeAgreement(items, options);
  if (agreement.kind === "unavailable") throw new Error(agreement.reason);
  return agreement;
}

function expectValue(coefficient: Coefficient | Unavailable): number {
  return coefficient.kind === "computed" ? coefficient.value : Number.NaN;
}

function measureDifference(found: number, expected: number): number {
  return Math.abs(found - expected) / Math.max(Math.abs(expected), 1e-3);
}

describe("published examples", () => {
  test("Krippendorff's example C and the same data in Gwet's handbook", () => {
    const [example] = reference.ratings;
    const agreement = expectAgreement(readRaters(example?.raters ?? [], "12345".split("")), {
      ...FEW,
      categories: "12345".split(""),
    });
    expect(expectValue(agreement.alpha)).toBeCloseTo(0.743, 3);
    expect(expectValue(agreement.ac1)).toBeCloseTo(0.775, 3);
    expect(expectValue(agreement.percent)).toBeCloseTo(0.818, 3);
    expect(agreement).toMatchObject({ nItems: 12, nPaired: 11, nRaters: 4, nMissing: 7 });
  });

  test("Cohen's paradox: 118 of 125 agree, kappa falls to 0 and AC1 does not (Gwet 2008, table 1)", () => {
    const cells = [
      { labels: ["pass", "pass"], n: 118 },
      { labels: ["pass", "fail"], n: 5 },
      { labels: ["fail", "pass"], n: 2 },
    ];
    const items = cells.flatMap(({ labels, n }) =>
      Array.from({ length: n }, (_, index) => ({ task: `${labels.join()}${String(index)}`, labels })),
    );
    const { percent, kappa, ac1, categories } = expectAgreement(items, SCALE);
    expect(expectValue(percent)).toBeCloseTo(0.944, 3);
    expect(expectValue(kappa)).toBeCloseTo(-0.0234, 4);
    expect(expectValue(ac1)).toBeCloseTo(0.941, 3);
    expect(categories[0]?.prevalence).toBeCloseTo(243 / 250, 12);
  });
});

test("irrCAC, krippendorff and scikit-learn agree on 121 tables of 2 to 4 raters with gaps", () => {
  expect(reference.ratings).toHaveLength(121);
  let largest = 0;
  for (const { raters, categories, ...expected } of reference.ratings) {
    const found = expectAgreement(readRaters(raters, categories), { categories, resamples: 2 });
    const pairs = [
      [expectValue(found.percent), expected.percent],
      [expectValue(found.alpha), expected.alpha],
      [expectValue(found.ac1), expected.ac1],
      ...(expected.kappa === null ? [] : [[expectValue(found.kappa), expected.kappa]]),
      ...found.categories.map(({ prevalence }, k) => [prevalence, expected.prevalence[k] ?? Number.NaN]),
      ...found.categories.flatMap(({ alpha }, k) => {
        const value = expected.categoryAlpha[k] ?? null;
        return value === null ? [] : [[expectValue(alpha), value]];
      }),
    ];
    for (const [value = Number.NaN, reference = Number.NaN] of pairs) {
      const difference = measureDifference(value, reference);
      expect(difference, `${String(value)} against ${String(reference)}`).toBeLessThan(1e-10);
      largest = Math.max(largest, difference);
    }
  }
  expect(largest).toBeLessThan(1e-10);
});

describe("what cannot be said", () => {
  const items = [
    { task: "a", labels: ["pass", "pass"] },
    { task: "b", labels: ["pass", "pass"] },
  ];

  test("only one category was used: chance agrees always, percent and AC1 stay", () => {
    const { percent, kappa, alpha, ac1 } = expectAgreement(items, SCALE);
    expect([kappa, alpha]).toEqual([
      { kind: "unavailable", reason: "no-variation" },
      { kind: "unavailable", reason: "no-variation" },
    ]);
    expect([expectValue(percent), expectValue(ac1)]).toEqual([1, 1]);
    expect(percent).toMatchObject({ bounds: { kind: "unavailable", reason: "no-variation" } });
  });

  test("one rater always says the same: kappa is 0 by its formula, and its interval says why there is none", () => {
    const given = ["pass", "fail", "pass", "fail", "pass"];
    const constant = given.map((label, index) => ({ task: String(index), labels: ["fail", label] }));
    const { percent, kappa, alpha } = expectAgreement(constant, SCALE);
    // 2 of 5 agree, and chance alone gives 1 x 2/5.
    expect(kappa).toEqual({
      kind: "computed",
      value: 0,
      bounds: { kind: "unavailable", reason: "constant-rater" },
    });
    expect(expectValue(percent)).toBeCloseTo(0.4, 12);
    expect([percent, alpha]).toMatchObject([
      { bounds: { kind: "computed" } },
      { bounds: { kind: "computed" } },
    ]);
  });

  test("a deferral is missing; without a second label there is nothing to compare", () => {
    const deferred = [{ task: "a", labels: ["pass", "defer"] }];
    expect(computeAgreement(deferred, SCALE)).toEqual({ kind: "unavailable", reason: "no-double-labels" });
    expect(expectAgreement([...items, ...deferred], SCALE)).toMatchObject({ nMissing: 1, nPaired: 2 });
  });

  test("kappa is for two raters", () => {
    const three = [{ task: "a", labels: ["pass", "fail", null] }, ...items];
    expect(expectAgreement(three, SCALE).kappa).toEqual({ kind: "unavailable", reason: "not-two-raters" });
  });
});

describe("properties", () => {
  const label = fc.constantFrom("pass", "fail", null);
  const table = fc.array(fc.tuple(label, label, label), { minLength: 2, maxLength: 30 });
  const values = (rows: readonly (readonly (string | null)[])[], categories = SCALE.categories) => {
    const agreement = computeAgreement(
      rows.map((labels, index) => ({ task: String(index), labels })),
      { categories, resamples: 2 },
    );
    if (agreement.kind === "unavailable") return agreement.reason;
    return [agreement.percent, agreement.alpha, agreement.ac1].map(
      (coefficient) => Math.round(expectValue(coefficient) * 1e9) + 0,
    );
  };

  test("neither the order of raters, of items, nor of categories matters", () => {
    fc.assert(
      fc.property(table, (rows) => {
        const expected = values(rows);
        expect(values(rows.map((labels) => labels.toReversed()))).toEqual(expected);
        expect(values(rows.toReversed())).toEqual(expected);
        expect(values(rows, ["fail", "pass"])).toEqual(expected);
      }),
    );
  });

  test("tasks with several items are drawn whole", () => {
    const rows = Array.from({ length: 40 }, (_, index) => ({
      task: String(index % 4),
      labels: [index % 3 === 0 ? "pass" : "fail", index % 4 === 0 ? "pass" : "fail"],
    }));
    const { percent } = expectAgreement(rows, { ...SCALE, resamples: 2000 });
    if (percent.kind === "unavailable" || percent.bounds.kind === "unavailable") throw new Error("no bounds");
    expect(percent.bounds).toMatchObject({ nRows: 4, method: "bca", generator: "xoshiro128**" });
  });
});
