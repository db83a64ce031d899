/**
 * Measures how often intervals cover their target and how often tests find a difference that does not exist. Prints Markdown
 * tables. README.md has the usage and the results. Arguments: sections to run, then the number of repetitions.
 */
import {
  computeClopperPearsonInterval,
  computeFixedTaskCurve,
  computeJeffreysInterval,
  computeMeanInterval,
  computeWilsonInterval,
  correctByCalibration,
  correctByVerdict,
} from "@/lib/core/stats";
import { computeBinomialCdf } from "@/lib/core/stats/distributions";

import { simulateAccuracy } from "./accuracy";
import { simulateAgreement } from "./agreement";
import { simulateTaskCorrections } from "./corrections";
import { simulateCurves, simulateDifferences } from "./curves";
import { drawPasses, drawShare, toValues } from "./draw";
import { simulateTests } from "./paired-tests";
import { Cover, formatShare, printHead, printRow } from "./report";
import { drawCounts, random, REPETITIONS } from "./settings";
import { simulateSkewed } from "./skewed";
import { simulateStrata } from "./strata";

const TASKS = [20, 50, 100, 400];
const ATTEMPTS = [1, 3, 5, 10];
const RATES = [0.05, 0.2, 0.5, 0.8, 0.95];
const CORRELATIONS = [0, 0.3, 0.8];

function simulateMeans(): void {
  printHead(
    "Mean, new tasks",
    "tasks",
    "attempts",
    "correlation",
    ...RATES.map((rate) => `rate ${String(rate)}`),
  );
  for (const nTasks of TASKS) {
    for (const n of ATTEMPTS) {
      for (const correlation of n === 1 ? [0] : CORRELATIONS) {
        const shares = RATES.map((rate) => {
          const cover = new Cover();
          for (let i = 0; i < REPETITIONS; i++) {
            const found = computeMeanInterval(toValues(drawCounts(nTasks, n, rate, correlation)), {
              missing: "zero",
            });
            cover.add(found.kind === "computed" ? found.bounds : found, rate);
          }
          return formatShare(cover.share);
        });
        printRow(nTasks, n, correlation, ...shares);
      }
    }
  }
}

/** One attempt per task: exact, since every number of passes is weighted by its probability. */
function enumerateRates(): void {
  const compute = {
    Wilson: computeWilsonInterval,
    Jeffreys: computeJeffreysInterval,
    "Clopper-Pearson": computeClopperPearsonInterval,
    "mean of 0 and 1": computeSingleMean,
  };
  printHead("One attempt a task, exact", "tasks", "rate", ...Object.keys(compute));
  for (const nTasks of TASKS) {
    for (const rate of RATES) {
      const shares = Object.values(compute).map((interval) => {
        let held = 0;
        for (let passes = 0; passes <= nTasks; passes++) {
          const found = interval(passes, nTasks);
          const holds = found.kind === "computed" && found.low <= rate && rate <= found.high;
          const below = passes === 0 ? 0 : computeBinomialCdf(passes - 1, nTasks, rate);
          if (holds) held += computeBinomialCdf(passes, nTasks, rate) - below;
        }
        return formatShare(held);
      });
      printRow(nTasks, rate, ...shares);
    }
  }
}

function computeSingleMean(passes: number, nTasks: number) {
  const tasks = Array.from({ length: nTasks }, (_, index) => ({
    task: String(index),
    values: [index < passes ? 1 : 0],
  }));
  const found = computeMeanInterval(tasks, { missing: "zero" });
  return found.kind === "computed" ? found.bounds : found;
}

function simulateSameTasks(): void {
  printHead(
    "Same tasks run again",
    ...[
      "tasks",
      "attempts",
      "rate",
      "correlation",
      "mean",
      "pass@k, 2k = attempts",
      "pass^k, 2k = attempts",
      "refused",
    ],
  );
  for (const nTasks of [20, 100]) {
    for (const n of [2, 4, 6, 10]) {
      for (const [rate, correlation] of [
        [0.5, 0.3],
        [0.5, 0.8],
        [0.8, 0.5],
        [0.95, 0.3],
      ] as const) {
        const covers = [new Cover(), new Cover(), new Cover()] as const;
        for (let i = 0; i < REPETITIONS; i++) {
          const tasks = drawCounts(nTasks, n, rate, correlation);
          const average = (compute: (own: number) => number) =>
            tasks.reduce((sum, { own }) => sum + compute(own), 0) / nTasks;
          const found = computeFixedTaskCurve(tasks);
          if (found.kind === "unavailable") continue;
          const half = found.points.find(({ k }) => k === n / 2);
          const none = { kind: "unavailable" } as const;
          covers[0].add(
            found.points[0]?.passAtK.bounds ?? none,
            average((own) => own),
          );
          covers[1].add(
            half?.passAtK.bounds ?? none,
            average((own) => 1 - (1 - own) ** (n / 2)),
          );
          covers[2].add(
            half?.passHatK.bounds ?? none,
            average((own) => own ** (n / 2)),
          );
        }
        printRow(
          nTasks,
          n,
          rate,
          correlation,
          ...covers.map((cover) => formatShare(cover.share)),
          formatShare(covers[1].refused),
        );
      }
    }
  }
}

function simulateCorrections(): void {
  printHead(
    "Corrected score, independent trials",
    "true rate",
    "TPR",
    "TNR",
    "labels",
    "method",
    "bias, points",
    "coverage",
    "refused",
  );
  for (const [rate, tpr, tnr] of [
    [0.7, 0.9, 0.8],
    [0.3, 0.95, 0.7],
    [0.9, 0.85, 0.9],
    [0.5, 0.99, 0.95],
  ] as const) {
    for (const m of [20, 50, 200]) {
      const covers = [new Cover(), new Cover()] as const;
      const biases = [0, 0];
      const verify = (isRight: boolean) => drawShare(random) < (isRight ? tpr : 1 - tnr);
      for (let i = 0; i < REPETITIONS; i++) {
        const trials = Array.from({ length: 500 }, () => {
          const human = drawShare(random) < rate;
          return { human, verifier: verify(human) };
        });
        const passed = trials.filter(({ verifier }) => verifier);
        const failed = trials.filter(({ verifier }) => !verifier);
        const verdicts = { nPassed: passed.length, nFailed: failed.length };
        const truth = trials.filter(({ human }) => human).length / trials.length;
        // Trials are in random order, so the first of each verdict are a sample.
        const ofPassed = passed.slice(0, m / 2);
        const ofFailed = failed.slice(0, m / 2);
        const bothPassed = ofPassed.filter(({ human }) => human).length;
        const onlyHumanPassed = ofFailed.filter(({ human }) => human).length;
        const ownLabels = {
          bothPassed,
          onlyVerifierPassed: ofPassed.length - bothPassed,
          onlyHumanPassed,
          bothFailed: ofFailed.length - onlyHumanPassed,
        };
        const own = correctByVerdict({ verdicts, ownLabels });
        const rightPasses = drawPasses(random, m / 2, tpr);
        const rightFails = drawPasses(random, m / 2, tnr);
        const observed = passed.length / trials.length;
        const outside = correctByCalibration({
          verdicts,
          passRate: { variance: (observed * (1 - observed)) / trials.length, nTasks: trials.length },
          calibration: {
            bothPassed: rightPasses,
            onlyHumanPassed: m / 2 - rightPasses,
            bothFailed: rightFails,
            onlyVerifierPassed: m / 2 - rightFails,
          },
        });
        covers[0].add(own, truth);
        covers[1].add(outside, rate);
        if (own.kind === "computed") biases[0] = (biases[0] ?? 0) + (own.corrected - truth) / REPETITIONS;
        if (outside.kind === "computed")
          biases[1] = (biases[1] ?? 0) + (outside.corrected - rate) / REPETITIONS;
      }
      covers.forEach((cover, index) => {
        const bias = (100 * (biases[index] ?? 0)).toFixed(2);
        printRow(
          rate,
          tpr,
          tnr,
          m,
          index === 0 ? "by verdict" : "Rogan-Gladen",
          bias,
          formatShare(cover.share),
          formatShare(cover.refused),
        );
      });
    }
  }
}

const SECTIONS = {
  means: simulateMeans,
  rates: enumerateRates,
  "same-tasks": simulateSameTasks,
  tests: simulateTests,
  corrections: simulateCorrections,
  "corrections-by-task": simulateTaskCorrections,
  accuracy: simulateAccuracy,
  strata: simulateStrata,
  curves: simulateCurves,
  differences: simulateDifferences,
  agreement: simulateAgreement,
  skewed: simulateSkewed,
};

console.log(`${String(REPETITIONS)} repetitions a cell; coverage in %, nominal 95.`);
for (const [name, simulate] of Object.entries(SECTIONS)) {
  if (!Object.keys(SECTIONS).some((known) => process.argv.includes(known)) || process.argv.includes(name))
    simulate();
}
