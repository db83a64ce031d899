import { computeMcNemarTest, computePairedComparison } from "@/lib/core/stats";

import { drawNormal, drawPasses, toValues } from "./draw";
import { formatShare, printHead, printRow } from "./report";
import { drawCounts, random, REPETITIONS } from "./settings";

export function simulateTests(): void {
  printHead(
    "Type I error of paired tests",
    ...[
      "tasks",
      "attempts",
      "rewards",
      "interval",
      "sign-flip p",
      "sign-flip mid-p",
      "McNemar p",
      "McNemar mid-p",
      "verdict",
    ],
  );
  for (const nTasks of [12, 20, 60]) {
    for (const n of [1, 5]) {
      for (const isBinary of [true, false]) simulateTest(nTasks, n, isBinary);
    }
  }
}

function simulateTest(nTasks: number, n: number, isBinary: boolean): void {
  const counts = { t: 0, p: 0, midP: 0, mcnemar: 0, mcnemarMidP: 0, verdict: 0 };
  for (let i = 0; i < REPETITIONS; i++) {
    const own = drawCounts(nTasks, n, 0.5, 0.4);
    const draw = () => own.map((task) => ({ ...task, c: drawPasses(random, n, task.own) }));
    const [first, second] = [draw(), draw()];
    const noisy = () =>
      own.map(({ task, own: rate }) => ({
        task,
        values: Array.from({ length: n }, () => rate + 0.2 * drawNormal(random)),
      }));
    const found = isBinary
      ? computePairedComparison(toValues(first), toValues(second), { missing: "zero", seed: i })
      : computePairedComparison(noisy(), noisy(), { missing: "zero", seed: i });
    if (found.kind === "unavailable") continue;
    const { bounds, verdict } = found;
    if (bounds.kind === "computed") {
      counts.t += Number((bounds.pOfMethod ?? 1) < 0.05);
      counts.p += Number(bounds.signFlip.p < 0.05);
      counts.midP += Number(bounds.signFlip.midP < 0.05);
    }
    counts.verdict += Number(verdict === "first-better" || verdict === "second-better");
    const mcnemar = computeMcNemarTest(first, second);
    if (mcnemar.kind === "unavailable") continue;
    counts.mcnemar += Number(mcnemar.p < 0.05);
    counts.mcnemarMidP += Number(mcnemar.midP < 0.05);
  }
  const { t, p, midP, mcnemar, mcnemarMidP, verdict } = counts;
  const isSingle = isBinary && n === 1;
  printRow(
    nTasks,
    n,
    isBinary ? "0 or 1" : "continuous",
    ...[t, p, midP].map((count) => formatShare(count / REPETITIONS)),
    ...[mcnemar, mcnemarMidP].map((count) => (isSingle ? formatShare(count / REPETITIONS) : "—")),
    formatShare(verdict / REPETITIONS),
  );
}
