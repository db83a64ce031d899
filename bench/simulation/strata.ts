import { computeVerifierAccuracy, correctByStratum, countConfusion, drawSample } from "@/lib/core/stats";
import type { AgentLabels, VerifierLabel } from "@/lib/core/stats";

import { drawShare } from "./draw";
import { Cover, formatShare, printHead, printRow } from "./report";
import { random, REPETITIONS } from "./settings";

const AGENTS = [
  { agent: "a", n: 800, rate: 0.7, tpr: 0.92, tnr: 0.87 },
  { agent: "b", n: 500, rate: 0.6, tpr: 0.93, tnr: 0.98 },
  { agent: "c", n: 400, rate: 0.5, tpr: 0.75, tnr: 0.9 },
  { agent: "d", n: 300, rate: 0.35, tpr: 0.85, tnr: 0.95 },
];
const FIGURES = [
  "truePositiveRate",
  "trueNegativeRate",
  "positivePredictiveValue",
  "negativePredictiveValue",
] as const;

interface Trial extends VerifierLabel {
  readonly key: string;
  readonly stratum: string;
  readonly human: boolean;
}

export function simulateStrata(): void {
  printHead(
    "Labels by agent and verdict",
    ...["drawn", "labels", "all agents", "by agent", "least agent", "TPR", "TNR", "PPV", "NPV", "refused"],
  );
  for (const method of ["stratified", "random"] as const) {
    for (const nLabels of [40, 80, 160, 400]) simulateDraw(method, nLabels);
  }
}

function simulateDraw(method: "stratified" | "random", nLabels: number): void {
  const all = new Cover();
  const alone = AGENTS.map(() => new Cover());
  const rates = FIGURES.map(() => new Cover());
  const truths = describeTruth();
  let nPooled = 0;
  for (let i = 0; i < REPETITIONS; i++) {
    const trials = AGENTS.flatMap((agent) => Array.from({ length: agent.n }, (_, n) => drawTrial(agent, n)));
    const items = trials.map(({ key, stratum, verifier }) => ({
      key,
      stratum: `${stratum} ${String(verifier)}`,
      cluster: null,
    }));
    const drawn = new Set(drawSample(items, { method, size: nLabels, seed: i + 1 }).keys);
    const labels = trials.filter(({ key }) => drawn.has(key));
    const agents = AGENTS.map(({ agent }): AgentLabels => {
      const own = trials.filter(({ stratum }) => stratum === agent);
      const nPassed = own.filter(({ verifier }) => verifier).length;
      const ofAgent = countConfusion(labels.filter(({ stratum }) => stratum === agent));
      return { agent, nPassed, nFailed: own.length - nPassed, labels: ofAgent };
    });
    const measure = (of: readonly Trial[]) => of.filter(({ human }) => human).length / of.length;
    const found = correctByStratum(agents, { isAcrossAgents: method === "random" });
    all.add(found.all, measure(trials));
    if (found.all.kind === "computed" && found.all.method === "by-verdict") nPooled++;
    found.agents.forEach(({ agent, score }, index) =>
      alone[index]?.add(score, measure(trials.filter(({ stratum }) => stratum === agent))),
    );
    const population = agents.map(({ agent, ...counts }) => ({ stratum: agent, ...counts }));
    const accuracy = computeVerifierAccuracy(
      labels,
      method === "random" ? { design: "random" } : { design: "by-stratum", population },
    );
    FIGURES.forEach((figure, index) =>
      rates[index]?.add(
        accuracy.kind === "computed" ? accuracy[figure] : accuracy,
        truths[index] ?? Number.NaN,
      ),
    );
  }
  printRow(
    method,
    nLabels,
    formatShare(all.share),
    formatShare(1 - nPooled / REPETITIONS),
    formatShare(Math.min(...alone.map(({ share }) => share))),
    ...rates.map(({ share }) => formatShare(share)),
    formatShare(all.refused),
  );
}

function drawTrial({ agent, rate, tpr, tnr }: (typeof AGENTS)[number], n: number): Trial {
  const human = drawShare(random) < rate;
  const verifier = drawShare(random) < (human ? tpr : 1 - tnr);
  return { key: `${agent}${String(n)}`, stratum: agent, human, verifier };
}

function describeTruth(): number[] {
  const sum = (read: (agent: (typeof AGENTS)[number]) => number) =>
    AGENTS.reduce((total, agent) => total + agent.n * read(agent), 0);
  const both = sum(({ rate, tpr }) => rate * tpr);
  const human = sum(({ rate }) => rate);
  const neither = sum(({ rate, tnr }) => (1 - rate) * tnr);
  const n = sum(() => 1);
  const onlyVerifier = n - human - neither;
  return [
    both / human,
    neither / (n - human),
    both / (both + onlyVerifier),
    neither / (neither + human - both),
  ];
}
