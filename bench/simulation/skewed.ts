import { computeRatioInterval, computeSkewedIntervals } from "@/lib/core/stats";

import { drawNormal } from "./draw";
import { Cover, formatShare, printHead, printRow } from "./report";
import { drawCounts, random, REPETITIONS, RESAMPLES } from "./settings";

const METHODS = ["percentile", "bca"] as const;
/** Standard deviation of log costs between tasks and between attempts: the 90th percentile is 3.6 times the median. */
const SPREAD = 0.7;
const ATTEMPTS = 5;

export function simulateSkewed(): void {
  printHead("Costs", "figure", "tasks", "percentile", "BCa", "refused");
  const whole = SPREAD * Math.SQRT2;
  const mean = Math.exp(whole ** 2 / 2);
  // 1.2816 is the 0.9 quantile of the standard normal distribution.
  const truths = { mean, median: 1, p90: Math.exp(1.2815515655446004 * whole) };
  for (const nTasks of [20, 50, 100]) {
    const covers = METHODS.map(() => ({
      "cost per solve": new Cover(),
      mean: new Cover(),
      median: new Cover(),
      p90: new Cover(),
    }));
    for (let seed = 1; seed <= REPETITIONS; seed++) {
      const tasks = drawCounts(nTasks, ATTEMPTS, 0.5, 0.3).map(({ task, c }) => {
        const own = SPREAD * drawNormal(random);
        return {
          task,
          c,
          values: Array.from({ length: ATTEMPTS }, () => Math.exp(own + SPREAD * drawNormal(random))),
        };
      });
      const ratios = tasks.map(({ task, c, values }) => ({
        task,
        numerator: values.reduce((sum, value) => sum + value, 0),
        denominator: c,
      }));
      METHODS.forEach((method, index) => {
        const options = { seed, resamples: RESAMPLES, method };
        const ratio = computeRatioInterval(ratios, options);
        const cover = covers[index];
        cover?.["cost per solve"].add(ratio.kind === "computed" ? ratio.bounds : ratio, mean / 0.5);
        const found = computeSkewedIntervals(tasks, options);
        for (const figure of ["mean", "median", "p90"] as const) {
          cover?.[figure].add(found.kind === "computed" ? found[figure].bounds : found, truths[figure]);
        }
      });
    }
    for (const figure of ["cost per solve", "mean", "median", "p90"] as const) {
      printRow(
        figure,
        nTasks,
        ...covers.map((cover) => formatShare(cover[figure].share)),
        formatShare(covers[0]?.[figure].refused ?? 0),
      );
    }
  }
}
