import { computeVerifierAccuracy, type VerifierLabel } from "@/lib/core/stats";

import { drawShare } from "./draw";
import { Cover, formatShare, printHead, printRow } from "./report";
import { random, REPETITIONS } from "./settings";

const TRIALS = 2000;
const FIGURES = [
  "truePositiveRate",
  "trueNegativeRate",
  "positivePredictiveValue",
  "negativePredictiveValue",
] as const;

export function simulateAccuracy(): void {
  printHead("Verifier against humans", "true rate", "labels", "drawn", "TPR", "TNR", "PPV", "NPV", "refused");
  for (const [rate, tpr, tnr] of [
    [0.5, 0.9, 0.8],
    [0.7, 0.95, 0.85],
    [0.3, 0.9, 0.95],
  ] as const) {
    for (const nLabels of [40, 100, 400]) {
      for (const design of ["random", "by-verdict"] as const) {
        simulateLabels({ rate, tpr, tnr }, nLabels, design);
      }
    }
  }
}

interface Verifier {
  readonly rate: number;
  readonly tpr: number;
  readonly tnr: number;
}

function simulateLabels(verifier: Verifier, nLabels: number, design: "random" | "by-verdict"): void {
  const { rate, tpr, tnr } = verifier;
  const passed = rate * tpr + (1 - rate) * (1 - tnr);
  const truths = [tpr, tnr, (rate * tpr) / passed, ((1 - rate) * tnr) / (1 - passed)];
  const covers = FIGURES.map(() => new Cover());
  for (let i = 0; i < REPETITIONS; i++) {
    const trials = Array.from({ length: TRIALS }, () => drawTrial(verifier));
    const verdicts = [true, false].map((verdict) => trials.filter((trial) => trial.verifier === verdict));
    // Trials are in random order, so the first ones are a sample.
    const labels =
      design === "random"
        ? trials.slice(0, nLabels)
        : verdicts.flatMap((ofOne) => ofOne.slice(0, nLabels / 2));
    const population = { nPassed: verdicts[0]?.length ?? 0, nFailed: verdicts[1]?.length ?? 0 };
    const found = computeVerifierAccuracy(labels, design === "random" ? { design } : { design, population });
    FIGURES.forEach((figure, index) => {
      covers[index]?.add(found.kind === "computed" ? found[figure] : found, truths[index] ?? Number.NaN);
    });
  }
  const refused = formatShare(Math.max(...covers.map((cover) => cover.refused)));
  printRow(rate, nLabels, design, ...covers.map((cover) => formatShare(cover.share)), refused);
}

function drawTrial({ rate, tpr, tnr }: Verifier): VerifierLabel {
  const human = drawShare(random) < rate;
  return { human, verifier: drawShare(random) < (human ? tpr : 1 - tnr) };
}
