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
  const tasks = sides.map(({ trials }) => new Set(trials.filter(isTelling).map(({ taskName }) => taskName)));
  const found = [...findShared(sides)].flatMap(([pair, same]) => {
    const [a = 0, b = 0] = pair.split(" ").map(Number);
    const nCommon = [...(tasks[a] ?? [])].filter((task) => tasks[b]?.has(task)).length;
    const isCopy = nCommon >= LEAST_TASKS && same.size >= LEAST_SHARE * nCommon;
    const figures = `${String(same.size)} of ${String(nCommon)}`;
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

/** Returns tasks on which two sides have the same attempt, by the places of the two. */
function findShared(sides: readonly Side[]): ReadonlyMap<string, ReadonlySet<string>> {
  // The sides that have such an attempt, each with one rollout of it.
  const seen = new Map<string, Map<number, string | null>>();
  const shared = new Map<string, Set<string>>();
  for (const [at, { trials }] of sides.entries())
    for (const { taskName, rewards, durationMs, nTokens, rollout } of trials.filter(isTelling)) {
      const print = JSON.stringify([taskName, [...rewards], durationMs, nTokens]);
      const known = seen.get(print) ?? new Map<number, string | null>();
      for (const [other, theirs] of known) {
        // A regrade shares its rollout, which is another check's.
        if (other === at || (rollout !== null && rollout === theirs)) continue;
        const pair = `${String(other)} ${String(at)}`;
        shared.set(pair, (shared.get(pair) ?? new Set()).add(taskName));
      }
      seen.set(print, known.set(at, rollout));
    }
  return shared;
}
