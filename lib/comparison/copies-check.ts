import { sumBy } from "@/lib/domain/sum-by";
import { formatPlural } from "@/lib/format/number";

import type { ComparabilityCheck } from "./comparability-check";
import type { ComparedTrial } from "./trials";

/** Name of the check, and the mark of a run set that fails it. */
export const POSSIBLE_COPIES = "possible copies";
/**
 * Independent attempts hardly ever take equally long to the millisecond and use equally many tokens: in 237 pairs of real runs no
 * task of any did. Rewards alone say nothing, since consistent agents repeat them.
 */
const LEAST_SHARE = 0.9;
/** Fewer common tasks than this prove nothing. */
const LEAST_TASKS = 5;
const MOST_NAMED = 3;

interface Side {
  readonly name: string;
  readonly trials: readonly ComparedTrial[];
}

/** Returns a warning where sides have the same reward, duration and tokens on almost every common task; empty without any. */
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

/** Attempts without duration and tokens cannot be told apart. */
function isTelling({ durationMs, nTokens, rewards }: ComparedTrial): boolean {
  return durationMs !== null && nTokens !== null && rewards.size > 0;
}

/** Counts the equal attempts at each task, by the places of two sides. */
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
        // A regrade shares its rollout, which is another check's.
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
