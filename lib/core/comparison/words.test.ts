import { expect, test } from "vitest";

import {
  adjustTogether,
  computePairedComparison,
  computePassDifference,
  countSuccesses,
  type TaskValues,
} from "@/lib/core/stats";

import { describePair } from "./words";

const NAMES = { first: "orca", second: "lamp" };

function describe(
  first: readonly (readonly number[])[],
  second: readonly (readonly number[])[],
  { nOthers = 0, threshold = 1 } = {},
) {
  const name = (values: readonly (readonly number[])[]): TaskValues[] =>
    values.map((own, index) => ({ task: `task-${String(index)}`, values: own }));
  const rules = { missing: "zero", threshold } as const;
  const [a, b] = [name(first), name(second)];
  const one = computePairedComparison(a, b, { ...rules, nAdjusted: 1 + nOthers });
  const others = Array.from({ length: nOthers }, () => computePairedComparison(b, b, rules));
  const [comparison = one] = adjustTogether([one, ...others]);
  const curve = computePassDifference(countSuccesses(a, rules), countSuccesses(b, rules), { resamples: 400 });
  return describePair(NAMES, comparison, curve);
}

/** Tasks with 5 attempts; `c` of them pass. */
function pass(...counts: readonly number[]): number[][] {
  return counts.map((c) => Array.from({ length: 5 }, (_, i) => (i < c ? 1 : 0)));
}

test("a clear lead names the better group and its size, whichever comes first", () => {
  const [strong, weak] = [pass(5, 5, 4, 5, 5, 3, 5, 4, 5, 5, 5, 4), pass(2, 3, 2, 3, 4, 0, 3, 2, 3, 2, 5, 4)];
  expect(describe(strong, weak)).toMatchObject({
    verdict: "better",
    difference: "+36.7",
    sentence: "orca is better than lamp by 36.7 points on mean reward.",
  });
  expect(describe(weak, strong)).toMatchObject({
    verdict: "worse",
    difference: "−36.7",
    sentence: "lamp is better than orca by 36.7 points on mean reward.",
  });
});

test("what could be chance is no clear difference, and no difference is said as such", () => {
  const lamp = pass(4, 1, 4, 1, 3, 5);
  expect(describe(pass(5, 0, 4, 1, 5, 4), lamp).sentence).toBe(
    "orca vs lamp: no clear difference in mean reward, 3.3 points could be chance.",
  );
  // Where all tasks agree the bound is 1 - 0.05^(1/n): 0.393 of six tasks, 0.776 of two.
  expect(describe(lamp, lamp).sentence).toBe(
    "orca vs lamp: no clear difference. The same mean reward over 6 tasks, but either could be better by up to 39.3 points.",
  );
  expect(describe(pass(5, 0), pass(5, 0)).sentence).toBe(
    "orca vs lamp: no clear difference. The same mean reward over 2 tasks, but either could be better by up to 77.6 points.",
  );
});

test("a single task, no common task and rewards in their own unit are said plainly", () => {
  expect(describe(pass(5), pass(2)).sentence).toBe(
    "orca minus lamp is +60.0 points on mean reward, no interval: one task shows no variation between tasks.",
  );
  expect(describe([], pass(2)).sentence).toContain("orca vs lamp cannot be compared");
  const own = describe([[10], [12], [11], [13], [9], [12]], [[3], [5], [3.5], [6], [2], [5]]);
  expect(own).toMatchObject({
    difference: "+7.083",
    sentence: "orca is better than lamp by 7.083 on mean reward.",
    // 2.5706 standard errors of 0.0833.
    interval: "+6.869 to +7.298",
  });
});

test("what is solved every time is told from what is solved at least once, a caveat behind each interval that holds 0", () => {
  const { detail } = describe(
    pass(5, 5, 5, 5, 5, 5, 5, 5, 0, 5, 5, 4),
    pass(2, 3, 2, 4, 4, 3, 2, 3, 1, 3, 4, 4),
  );
  const [lead, always, once] = (detail ?? "").split(/(?<=\.) /u);
  expect(lead).toBe("orca solves more tasks every time; no clear difference in solving them at least once.");
  expect(always).toMatch(/^At k = 5: solved every time \+83\.3 points, \+\d+\.\d to \+100\.0\.$/u);
  expect(once).toMatch(
    /^Solved at least once −8\.3 points, −\d+\.\d to \+\d+\.\d, could be no difference\.$/u,
  );
});

test("one attempt of 0 or 1 adds nothing to the verdict; partial rewards add the tasks passed", () => {
  const passing = [[1], [1], [1], [1], [1], [1], [1], [0], [1], [0]];
  const failing = [[0], [0], [0], [0], [1], [0], [1], [0], [0], [1]];
  expect(describe(passing, failing).detail).toBeNull();
  const partial = passing.map(([value = 0]) => [value === 1 ? 1 : 0.5]);
  expect(describe(partial, failing).detail).toMatch(/^Tasks passed: \+50\.0 points, /u);
});

test("the p-value says which of its two tests it is of, and what several comparisons make of it", () => {
  const [strong, weak] = [pass(5, 5, 4, 5, 5, 3, 5, 4), pass(2, 3, 2, 3, 4, 0, 3, 2)];
  expect(describe(strong, weak).pBasis).toMatch(
    /^The larger of Paired t < 0\.001 and sign flip 0\.008 \(every pattern\)$/u,
  );
  expect(describe(strong, weak, { nOthers: 2 })).toMatchObject({
    pValue: "0.023",
    pBasis: expect.stringMatching(/, adjusted for 3 comparisons \(Holm\)$/u) as string,
    interval: describe(strong, weak).interval,
    caution: null,
  });
  // With ten comparisons the interval is the same, but its coverage is not joint.
  expect(describe(strong, weak, { nOthers: 9 })).toMatchObject({
    verdict: "no clear difference",
    interval: describe(strong, weak).interval,
    caution: "Only the interval excludes 0; the p-value, adjusted for 10 comparisons, does not.",
  });
});
