import { computeCorrectedScore, type TaskVerdicts } from "@/lib/core/stats";

import { drawRate, drawShare } from "./draw";
import { Cover, formatShare, printHead, printRow } from "./report";
import { random, REPETITIONS } from "./settings";

const ATTEMPTS = 5;
const RATE = 0.6;

export function simulateTaskCorrections(): void {
  printHead(
    "Corrected score, new tasks",
    ...["tasks", "correlation", "verifier right", "labelled", "by verdict", "calibration", "refused"],
  );
  for (const nTasks of [50, 100]) {
    for (const correlation of [0.3, 0.8]) {
      for (const right of [0.75, 0.9]) {
        for (const labelled of [0.3, 1]) simulateCell(nTasks, correlation, right, labelled);
      }
    }
  }
}

function simulateCell(nTasks: number, correlation: number, right: number, labelled: number): void {
  const covers = [new Cover(), new Cover()] as const;
  for (let i = 0; i < REPETITIONS; i++) {
    const tasks = Array.from({ length: nTasks }, (_, index) => drawTask(index, correlation, right, labelled));
    covers[0].add(computeCorrectedScore({ tasks, estimand: "new-tasks", calibration: null }), RATE);
    const outside = Array.from({ length: 100 }, (_, index) => drawTask(index, 0, right, 1, 1).labels);
    const calibration = {
      bothPassed: outside.reduce((sum, { bothPassed }) => sum + bothPassed, 0),
      onlyVerifierPassed: outside.reduce((sum, { onlyVerifierPassed }) => sum + onlyVerifierPassed, 0),
      onlyHumanPassed: outside.reduce((sum, { onlyHumanPassed }) => sum + onlyHumanPassed, 0),
      bothFailed: outside.reduce((sum, { bothFailed }) => sum + bothFailed, 0),
    };
    const unlabelled = tasks.map((task) => ({ ...task, labels: NONE }));
    covers[1].add(computeCorrectedScore({ tasks: unlabelled, estimand: "new-tasks", calibration }), RATE);
  }
  const [own, other] = covers;
  printRow(
    nTasks,
    correlation,
    right,
    labelled,
    formatShare(own.share),
    formatShare(other.share),
    formatShare(own.refused),
  );
}

const NONE = { bothPassed: 0, onlyVerifierPassed: 0, onlyHumanPassed: 0, bothFailed: 0 };

function drawTask(
  index: number,
  correlation: number,
  right: number,
  labelled: number,
  nAttempts = ATTEMPTS,
): TaskVerdicts {
  const own = drawRate(random, RATE, correlation);
  const labels = { ...NONE };
  let nPassed = 0;
  for (let attempt = 0; attempt < nAttempts; attempt++) {
    const human = drawShare(random) < own;
    const verifier = drawShare(random) < right ? human : !human;
    nPassed += Number(verifier);
    if (drawShare(random) >= labelled) continue;
    if (human) labels[verifier ? "bothPassed" : "onlyHumanPassed"]++;
    else labels[verifier ? "onlyVerifierPassed" : "bothFailed"]++;
  }
  return { task: String(index), nPassed, nFailed: nAttempts - nPassed, labels };
}
