import { computePairedComparison, computePassCurve, computePassDifference } from "@/lib/core/stats";

import { drawPasses, drawRate, toValues } from "./draw";
import { Cover, formatShare, printHead, printRow } from "./report";
import { drawCounts, random, REPETITIONS, RESAMPLES } from "./settings";

const ATTEMPTS = 5;
const KS = [1, 3, 5];

/** Returns the chance that all of k attempts pass on a task drawn from Beta with this mean and correlation. */
function computeAllPass(k: number, rate: number, correlation: number): number {
  if (correlation === 0) return rate ** k;
  const size = 1 / correlation - 1;
  return Array.from({ length: k }, (_, i) => (rate * size + i) / (size + i)).reduce((a, b) => a * b, 1);
}

export function simulateCurves(): void {
  printHead(
    "Curves, new tasks",
    ...["tasks", "rate", "correlation"],
    ...KS.map((k) => `pass@${String(k)}`),
    ...KS.slice(1).map((k) => `pass^${String(k)}`),
  );
  for (const nTasks of [20, 50, 100]) {
    for (const [rate, correlation] of [
      [0.5, 0.3],
      [0.5, 0.8],
      [0.2, 0.3],
      [0.8, 0.8],
      [0.8, 0],
      [0.05, 0.3],
      [0.95, 0.3],
    ] as const) {
      const reach = KS.map(() => new Cover());
      const reliability = KS.map(() => new Cover());
      for (let seed = 1; seed <= REPETITIONS; seed++) {
        const curve = computePassCurve(drawCounts(nTasks, ATTEMPTS, rate, correlation), {
          seed,
          resamples: RESAMPLES,
        });
        KS.forEach((k, index) => {
          const point = curve.kind === "computed" ? curve.points.find((one) => one.k === k) : undefined;
          const none = { kind: "unavailable" } as const;
          const noPass = computeAllPass(k, 1 - rate, correlation);
          reach[index]?.add(point?.passAtK.band ?? none, 1 - noPass);
          reliability[index]?.add(point?.passHatK.band ?? none, computeAllPass(k, rate, correlation));
        });
      }
      const shares = [...reach, ...reliability.slice(1)].map((cover) => formatShare(cover.share));
      printRow(nTasks, rate, correlation, ...shares);
    }
  }
}

const TRUTH_TASKS = 400_000;

export function simulateDifferences(): void {
  printHead(
    "Differences, new tasks",
    ...["tasks", "rate", "correlation", "log odds ratio"],
    ...KS.map((k) => `pass@${String(k)}`),
    "mean",
  );
  for (const [rate, correlation, shift] of [
    [0.5, 0.3, 0],
    [0.5, 0.3, 0.5],
    [0.5, 0.8, 0.5],
    [0.2, 0.5, 0.5],
    [0.8, 0.3, 0.5],
    [0.95, 0.3, 0.5],
  ] as const) {
    const truths = averageDifferences(rate, correlation, shift);
    for (const nTasks of [20, 50, 100]) {
      const covers = KS.map(() => new Cover());
      const paired = new Cover();
      for (let seed = 1; seed <= REPETITIONS; seed++) {
        const owns = Array.from({ length: nTasks }, () => drawRate(random, rate, correlation));
        const draw = (own: number, index: number) => ({
          task: String(index),
          n: ATTEMPTS,
          c: drawPasses(random, ATTEMPTS, own),
        });
        const first = owns.map((own, index) => draw(improve(own, shift), index));
        const second = owns.map(draw);
        const found = computePassDifference(first, second, { seed, resamples: RESAMPLES });
        KS.forEach((k, index) => {
          const point = found.kind === "computed" ? found.points.find((one) => one.k === k) : undefined;
          covers[index]?.add(point?.passAtK.band ?? { kind: "unavailable" }, truths[index] ?? Number.NaN);
        });
        const pair = computePairedComparison(toValues(first), toValues(second), { missing: "zero", seed });
        paired.add(pair.kind === "computed" ? pair.bounds : pair, truths[0] ?? Number.NaN);
      }
      const shares = [...covers, paired].map((cover) => formatShare(cover.share));
      printRow(nTasks, rate, correlation, shift, ...shares);
    }
  }
}

/** Returns the rate whose log odds are larger by `shift`. */
function improve(rate: number, shift: number): number {
  const odds = rate * Math.exp(shift);
  return odds / (1 - rate + odds);
}

function averageDifferences(rate: number, correlation: number, shift: number): readonly number[] {
  const sums = KS.map(() => 0);
  for (let i = 0; i < TRUTH_TASKS; i++) {
    const own = drawRate(random, rate, correlation);
    const better = improve(own, shift);
    KS.forEach((k, index) => {
      sums[index] = (sums[index] ?? 0) + ((1 - own) ** k - (1 - better) ** k) / TRUTH_TASKS;
    });
  }
  return sums;
}
