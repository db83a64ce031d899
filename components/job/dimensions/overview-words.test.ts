import { expect, it } from "vitest";

import type { DimensionOverview, OverviewRow } from "@/lib/pages/job/dimension-overview";

import { describeOverview } from "./overview-words";

function makeRow(name: string, means: readonly (number | null)[]): OverviewRow {
  const cells = means.map((mean) =>
    mean === null ? null : { mean, nTasks: 3, interval: { kind: "unavailable", reason: "too-few" } as const },
  );
  return {
    ...{ kind: "dimension" as const, name, nTasks: 3, task: null, mean: means[0] ?? null, difference: null },
    ...{ lossShare: null, n: 3, nBelow: 3, nMissing: 0, isCheck: false },
    cells: cells as unknown as OverviewRow["cells"], // Only the mean is read here.
  };
}

function describe(
  rows: OverviewRow[],
  nLeftOut = 0,
  more: Partial<DimensionOverview> = {},
): string | undefined {
  const overview = { groups: ["a", "b"], nHidden: 0, pair: null, reward: null, single: [], unscaled: [] };
  const all = { n: rows.length + nLeftOut, nBelow: rows.length, areChecks: false, ...more.all };
  return describeOverview({ ...overview, rows, nLeftOut, scale: null, ...more, all }, (key) => key)?.head;
}

it("counts dimensions in every list, collapsed ones too", () => {
  const [high, low] = [makeRow("build", [1, 1]), makeRow("lint", [0.25, 0.5])];
  const all = { n: 184, nBelow: 22, areChecks: true };
  expect(describe([high], 0, { single: [low], all })).toMatch(/^22 of 184 checks fail\. lint is lowest/);
  expect(describe([high], 0, { all: { ...all, nBelow: 0 } })).toMatch(/^All 184 checks /);
  expect(describe([high], 0, { all: { ...all, areChecks: false } })).toMatch(/^22 of 184 dimensions /);
});

it("names the lowest dimension, unless several print alike", () => {
  const [care, style, tests] = [
    makeRow("care", [0, 0.5]),
    makeRow("style", [0.001, 0.5]),
    makeRow("tests", [0.5, 0.5]),
  ];
  expect(describe([care, tests])).toContain(" care is lowest: 0.00 for a and 0.50 for b, over 3 tasks.");
  expect(describe([care, style, tests])).toContain(
    " 2 dimensions tie for the lowest: 0.00 for a and 0.50 for b.",
  );
  expect(describe([care, style], 4)).toMatch(/ At least 2 dimensions tie/);
  expect(describe([care, makeRow("style", [0, null])])).toMatch(/ care is lowest/);
});
