import { computeAgreement } from "@/lib/core/stats";

import { drawShare } from "./draw";
import { Cover, formatShare, printHead, printRow } from "./report";
import { random, REPETITIONS, RESAMPLES } from "./settings";

const METHODS = ["percentile", "bca"] as const;
const FIGURES = ["percent", "kappa", "alpha", "ac1"] as const;

export function simulateAgreement(): void {
  printHead("Agreement of two raters", "items", "passes", "right", "figure", "percentile", "BCa", "refused");
  for (const nItems of [20, 50, 100]) {
    for (const [passes, right] of [
      [0.7, 0.9],
      [0.5, 0.8],
      [0.9, 0.9],
    ] as const) {
      simulateRaters(nItems, passes, right);
    }
  }
  for (const nItems of [50, 100, 200]) {
    simulateRaters(nItems, 0.05, 0.98);
    simulateRaters(nItems, 0.1, 0.97);
  }
}

function simulateRaters(nItems: number, passes: number, right: number): void {
  const truths = describeTruth(passes, right);
  const covers = METHODS.map(() => FIGURES.map(() => new Cover()));
  for (let seed = 1; seed <= REPETITIONS; seed++) {
    const items = Array.from({ length: nItems }, (_, index) => {
      const truth = drawShare(random) < passes;
      const judge = () => (drawShare(random) < right ? truth : !truth);
      const labels = [judge(), judge()].map((isPass) => (isPass ? "pass" : "fail"));
      return { task: String(index), labels };
    });
    METHODS.forEach((method, place) => {
      const options = { seed, resamples: RESAMPLES, method, categories: ["pass", "fail"] };
      const found = computeAgreement(items, options);
      FIGURES.forEach((figure, index) => {
        const one = found.kind === "computed" ? found[figure] : found;
        covers[place]?.[index]?.add(one.kind === "computed" ? one.bounds : one, truths[figure]);
      });
    });
  }
  FIGURES.forEach((figure, index) => {
    printRow(
      nItems,
      passes,
      right,
      figure,
      ...covers.map((cover) => formatShare(cover[index]?.share ?? Number.NaN)),
      formatShare(covers[0]?.[index]?.refused ?? 0),
    );
  });
}

function describeTruth(passes: number, right: number): Record<(typeof FIGURES)[number], number> {
  const percent = right ** 2 + (1 - right) ** 2;
  const named = passes * right + (1 - passes) * (1 - right);
  const byChance = named ** 2 + (1 - named) ** 2;
  const ofAc1 = 2 * named * (1 - named);
  const correct = (chance: number) => (percent - chance) / (1 - chance);
  return { percent, kappa: correct(byChance), alpha: correct(byChance), ac1: correct(ofAc1) };
}
