import { expect, it } from "vitest";

import type { OverviewRow } from "@/lib/queries/job/dimension-overview";

import { describeOverview } from "./overview-words";

function makeRow(name: string, means: readonly (number | null)[]): OverviewRow {
  const cells = means.map((mean) =>
    mean === null ? null : { mean, nTasks: 3, interval: { kind: "unavailable", reason: "too-few" } as const },
  );
  return {
    ...{ kind: "dimension" as const, name, nTasks: 3, task: null, mean: means[0] ?? null, difference: null },
    ...{ lossShare: null, n: 3, nBelow: 3, nMissing: 0 },
    cells: cells as unknown as OverviewRow["cells"], // Only the mean is read here.
  };
}

function describe(rows: readonly OverviewRow[], nLeftOut = 0): string | undefined {
  const overview = { groups: ["a", "b"], nHidden: 0, pair: null, reward: null, single: [], unscaled: [] };
  return describeOverview({ ...overview, rows, nLeftOut, scale: null }, (key) => key)?.head;
}

it("names the lowest dimension, and none of several that print the same", () => {
  const [care, style, tests] = [
    makeRow("care", [0, 0.5]),
    makeRow("style", [0.001, 0.5]),
    makeRow("tests", [0.5, 0.5]),
  ];
  expect(describe([care, tests])).toBe("care is lowest: 0.00 for a and 0.50 for b, over 3 tasks.");
  expect(describe([care, style, tests])).toBe("2 dimensions tie for the lowest: 0.00 for a and 0.50 for b.");
  expect(describe([care, style], 4)).toMatch(/^At least 2 dimensions tie/);
  expect(describe([care, makeRow("style", [0, null])])).toMatch(/^care is lowest/);
});
