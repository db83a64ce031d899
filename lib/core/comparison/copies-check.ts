import { sumBy } from "@/lib/core/domain/sum-by";
import { formatPlural } from "@/lib/core/format/number";

import type { ComparabilityCheck } from "./comparability-check";
import type { ComparedTrial } from "./trials";

export const POSSIBLE_COPIES = "possible copies";
/**
 * Independent attempts hardly ever have equal durations to the millisecond and equal token counts: no task did in 237 pairs of
 * real runs. Equal rewards are no evidence, since consistent agents repeat them.
 */
const LEAST_SHARE = 0.9;
const LEAST_TASKS = 5;
const MOST_NAMED = 3;

interface Side {
  readonly name: string;
  readonly trials: readonly ComparedTrial[];
}

export function checkCopies(sides: readonly Side[]): readonly ComparabilityCheck[] {
  const counts = sides.map(({ trials }) => sumBy(trials.filter(isTelling), ({ taskName }) => taskName));
  const found = [...countShared(sides)].flatMap(([pair, shared]) => {
    const [a = 0, b = 0] = pair.split(" ").map(Number);
    const fewest = [...(counts[a] ?? [])].flatMap(([task, count]) => {
      const other = counts[b]?.get(task);
      return other === undefined ? [] : [[task, Math.min(count, other)] as const];
    });
    const nSame = fewest.filter(([task, count]) => (shared.get(task) ?? 0) >= count).length;
    const isCopy = fewest.length >= LEAST_TASKS && nSame >= LEAST_SHARE * fewest.length;
    const figures = `${String(nSame)} of ${String(fewest.length)}`;
    return isCopy ? `${sides[a]?.name ?? ""} and ${sides[b]?.name ?? ""} on ${figures} tasks` : [];
  });
  if (found.length === 0) return [];
  const rest =
    found.length > MOST_NAMED ? `, and ${formatPlural(found.length - MOST_NAMED, "more pair")}` : "";
  const detail = `Same reward, duration and tokens: ${found.slice(0, MOST_NAMED).join(", ")}${rest}.`;
  return [{ name: POSSIBLE_COPIES, state: "differs", detail }];
}

function isTelling({ durationMs, nTokens, rewards }: ComparedTrial): boolean {
  return durationMs !== null && nTokens !== null && rewards.size > 0;
}

function countShared(sides: readonly Side[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const all = sides.flatMap(({ trials }, side) =>
    trials.filter(isTelling).map((trial) => ({ ...trial, side })),
  );
  const equal = Map.groupBy(all, ({ taskName, rewards, durationMs, nTokens }) =>
    JSON.stringify([taskName, [...rewards], durationMs, nTokens]),
  );
  const shared = new Map<string, Map<string, number>>();
  for (const attempts of equal.values()) {
    const bySide = [...Map.groupBy(attempts, ({ side }) => side).values()];
    for (const [at, own] of bySide.entries())
      for (const others of bySide.slice(at + 1)) {
        const [{ side, taskName } = { side: 0, taskName: "" }] = own;
        // A regrade shares its rollout, which another check reports.
        const rollouts = new Set(own.flatMap(({ rollout }) => rollout ?? []));
        if (others.some(({ rollout }) => rollout !== null && rollouts.has(rollout))) continue;
        const pair = `${String(side)} ${String(others[0]?.side)}`;
        const counts = shared.get(pair) ?? new Map<string, number>();
        const count = (counts.get(taskName) ?? 0) + Math.min(own.length, others.length);
        shared.set(pair, counts.set(taskName, count));
      }
  }
  return shared;
}
