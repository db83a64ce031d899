import { expect, test } from "vitest";

import { computeCorrelations } from "@/lib/core/stats";

import { prepareCorrelationMatrix } from "./correlation-matrix";

function prepare(names: readonly string[], columns: readonly (readonly (number | null)[])[]) {
  const { pairs } = computeCorrelations(columns);
  return prepareCorrelationMatrix(names, {
    r: pairs.map((pair) => pair.reason ?? pair.r),
    n: pairs.map(({ n }) => n),
  });
}

test("every pair is where its two names meet", () => {
  const matrix = prepare(
    ["up", "down", "flat", "rare"],
    [
      [0, 0.5, 1, 0.5],
      [1, 0.5, 0, 0.5],
      [1, 1, 1, 1],
      [0, 0, 1, null],
    ],
  );
  const titles = matrix.rows.map((cells) => cells.map(({ title }) => title));
  expect(titles).toEqual([
    [],
    ["up and down: r = −1.000, n = 4"],
    [
      "up and flat: no correlation: one of the two never varies, n = 4",
      "down and flat: no correlation: one of the two never varies, n = 4",
    ],
    [
      "up and rare: r = 0.866, n = 3",
      "down and rare: r = −0.866, n = 3",
      "flat and rare: no correlation: one of the two never varies, n = 3",
    ],
  ]);
  expect(matrix.usualN).toBe(4);
  expect(matrix.rows[1]?.[0]).toMatchObject({ text: "−1.00", strength: 5, n: null });
  // A number of trials that is not the usual one is written out.
  expect(matrix.rows[3]?.[0]).toMatchObject({ text: "0.87", strength: 4, n: 3 });
  expect(matrix.rows[2]?.[0]).toMatchObject({ text: null, strength: 0 });
  expect(matrix.reasons).toEqual([{ words: "one of the two never varies", count: 3 }]);
});

test("dimensions beyond those that were correlated are left out, and nothing is minus zero", () => {
  const r = [-0.001];
  const matrix = prepareCorrelationMatrix(["a", "b", "c"], { r, n: [9] });
  expect(matrix.names).toEqual(["a", "b"]);
  expect(matrix.rows[1]?.[0]?.text).toBe("0.00");
});
