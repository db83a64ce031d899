import type { TrajectoryStep } from "@/lib/core/domain/trajectory";
import { sumTokens } from "@/lib/core/domain/trial";

export interface Jump {
  readonly label: string;
  readonly key: string;
}

export function listJumps(steps: readonly TrajectoryStep[]): readonly Jump[] {
  const found: readonly (readonly [string, TrajectoryStep | undefined])[] = [
    ["First error", steps.find(({ marks }) => marks.length > 0)],
    ["First failing test", steps.find(({ marks }) => marks.some(({ kind }) => kind === "tests-failed"))],
    ["Slowest step", findMost(steps, ({ durationMs }) => durationMs)],
    ["Most tokens", findMost(steps, ({ usage }) => (usage === null ? null : sumTokens(usage)))],
    ["Highest cost", findMost(steps, ({ usage }) => usage?.costUsd ?? null)],
    ["Last step", steps.at(-1)],
  ];
  return found.flatMap(([label, step]) => (step === undefined ? [] : [{ label, key: step.key }]));
}

function findMost(
  steps: readonly TrajectoryStep[],
  amountOf: (step: TrajectoryStep) => number | null,
): TrajectoryStep | undefined {
  let most: TrajectoryStep | undefined;
  let largest = 0;
  for (const step of steps) {
    const amount = amountOf(step) ?? 0;
    if (amount <= largest) continue;
    [most, largest] = [step, amount];
  }
  return most;
}
