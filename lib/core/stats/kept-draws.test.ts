import { expect, it } from "vitest";

import { type Weights, drawFigures } from "./bootstrap";
import { createRandomSource } from "./random";

/** The first row's weight and the sum over all rows of weight times place, drawn without anything kept. */
function drawPlainly(nRows: number, seed: number, resamples: number): number[] {
  const random = createRandomSource(seed);
  const drawn = Array.from({ length: resamples }, () => {
    const rows = Array.from({ length: nRows }, () => Math.floor((random.nextUint32() * nRows) / 2 ** 32));
    return [rows.filter((row) => row === 0).length, rows.reduce((sum, row) => sum + row, 0)];
  });
  return [...drawn.map(([first = 0]) => first), ...drawn.map(([, sum = 0]) => sum)];
}

function draw(nRows: number, seed: number, resamples: number): number[] {
  const compute = (weights: Weights, figures: Float64Array) => {
    figures[0] = weights[0] ?? 0;
    figures[1] = weights.reduce((sum, weight, row) => sum + weight * row, 0);
  };
  return [...drawFigures({ nRows, nFigures: 2, compute }, seed, resamples)];
}

it("draws the same after any earlier draws: more or fewer resamples, other rows or another seed", () => {
  const tables = [
    [7, 1, 20],
    [7, 1, 5],
    [7, 1, 40],
    [9, 1, 20],
    [7, 2, 20],
    [7, 1, 20],
    [1, 1, 3],
    // Too many to keep.
    [70_000, 1, 2],
    [2200, 1, 2000],
    [7, 1, 40],
  ] as const;
  for (const [nRows, seed, resamples] of tables) {
    const drawn = draw(nRows, seed, resamples);
    expect(drawn).toEqual(drawPlainly(nRows, seed, resamples));
  }
});
