import { createRandomSource } from "@/lib/core/stats/random";

import { drawPasses, drawRate } from "./draw";

export const REPETITIONS = Number(process.argv.at(-1)) > 0 ? Number(process.argv.at(-1)) : 1000;
/** Resamples of one bootstrap here; pages draw ten times as many. */
export const RESAMPLES = 1000;
export const random = createRandomSource(5);

export function drawCounts(nTasks: number, n: number, rate: number, correlation: number) {
  return Array.from({ length: nTasks }, (_, index) => {
    const own = drawRate(random, rate, correlation);
    return { task: String(index), n, c: drawPasses(random, n, own), own };
  });
}
