import type { ClockTime } from "@/lib/core/domain/clock-time";
import type { JobRecord, PlannedTrial, RecordedGroup } from "@/lib/core/domain/job";
import type { Trial } from "@/lib/core/domain/trial";
import type { VerificationReport } from "@/lib/core/domain/verification";

export type TrialOrder = VerificationReport["order"];

export interface OrderedTrials {
  readonly order: TrialOrder;
  readonly trials: readonly Trial[];
}

const MAX_PAUSES = 3;

/**
 * Yields the orders in which Harbor may have added up a group's finished trials, most likely first. These are the plan of
 * lock.json (a resumed job puts the trials it found first), the lists in the recorded stats, directory, start, finish. Lazy: the
 * first is nearly always right.
 * @see harbor 0.13.1 src/harbor/job.py, `Job.run` and `_maybe_init_existing_job`
 */
export function* iterateOrders(
  job: JobRecord,
  members: readonly Trial[],
  recorded: RecordedGroup | null,
): Generator<OrderedTrials> {
  const started = sortByTime(members, (trial) => trial.time.startedAt);
  const planned = job.plan === null ? null : sortByPlan(started, job.plan);
  if (planned !== null) yield { order: "lock", trials: planned };
  const lists = listStatsOrders(recorded);
  if (lists.length > 0) yield { order: "stats", trials: mergeByLists(planned ?? started, lists) };
  yield { order: "directory", trials: members };
  yield { order: "started", trials: started };
  yield { order: "finished", trials: sortByTime(members, (trial) => trial.time.finishedAt) };
  for (const resumedAtMs of findPauses(started)) {
    const isEarlier = (trial: Trial) => (trial.time.startedAt?.epochMs ?? Infinity) < resumedAtMs;
    const later = (planned ?? started).filter((trial) => !isEarlier(trial));
    yield {
      order: planned === null ? "directory" : "lock",
      trials: [...members.filter(isEarlier), ...later],
    };
  }
}

/** Stable; trials without the time come last. */
function sortByTime(trials: readonly Trial[], read: (trial: Trial) => ClockTime | null): Trial[] {
  const timed = trials.map((trial) => ({ trial, at: read(trial)?.epochMs ?? Number.MAX_SAFE_INTEGER }));
  return timed.toSorted((a, b) => a.at - b.at).map(({ trial }) => trial);
}

/** Assigns trials to their task's places in the plan, in order of start. Other agents only add equal gaps. */
function sortByPlan(started: readonly Trial[], plan: readonly PlannedTrial[]): Trial[] {
  const places = Map.groupBy(plan.keys(), (index) => plan[index]?.taskName);
  const agents = new Set(plan.map(({ agent, model }) => JSON.stringify([agent, model]))).size;
  const taken = new Map<string, number>();
  const ranked = started.map((trial) => {
    const nth = taken.get(trial.taskName) ?? 0;
    taken.set(trial.taskName, nth + 1);
    return { trial, rank: places.get(trial.taskName)?.[nth * agents] ?? Number.MAX_SAFE_INTEGER };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ trial }) => trial);
}

/** Returns name lists whose order follows the operands: each value's list, and the first of each value of a key. */
function listStatsOrders(recorded: RecordedGroup | null): readonly (readonly string[])[] {
  const keyed = [...(recorded?.rewardStats?.values() ?? [])];
  const tables = recorded?.exceptionStats ? [...keyed, recorded.exceptionStats] : keyed;
  return tables.flatMap((table) => {
    const lists = [...table.values()];
    return [...lists, lists.flatMap((names) => names.slice(0, 1))];
  });
}

/** Returns start times at which a job may have been resumed: no trial ran just before. Longest pauses first. */
function findPauses(started: readonly Trial[]): number[] {
  const pauses: { readonly resumedAtMs: number; readonly lengthMs: number }[] = [];
  let busyUntilMs = Infinity;
  for (const trial of started) {
    const startMs = trial.time.startedAt?.epochMs;
    const endMs = trial.time.finishedAt?.epochMs;
    if (startMs === undefined || endMs === undefined) continue;
    if (startMs > busyUntilMs) pauses.push({ resumedAtMs: startMs, lengthMs: startMs - busyUntilMs });
    busyUntilMs = busyUntilMs === Infinity ? endMs : Math.max(busyUntilMs, endMs);
  }
  const longest = pauses.toSorted((a, b) => b.lengthMs - a.lengthMs).slice(0, MAX_PAUSES);
  return longest.map((pause) => pause.resumedAtMs);
}

/** Reorders trials so that every list of names is respected; otherwise, or in contradictions, the given order stays. */
export function mergeByLists(trials: readonly Trial[], lists: readonly (readonly string[])[]): Trial[] {
  const rankByName = new Map(trials.map((trial, rank) => [trial.trialName, rank]));
  // An empty list allocates room for seventeen at its first push, and nearly all have one follower.
  const followers = trials.map((): number[] | null => null);
  const nBefore = trials.map(() => 0);
  for (const list of lists) {
    const ranks = list.flatMap((name) => rankByName.get(name) ?? []);
    for (const [index, rank] of ranks.slice(1).entries()) {
      const previous = ranks[index];
      if (previous === undefined || previous === rank) continue;
      const known = followers[previous];
      if (known) known.push(rank);
      else followers[previous] = [rank];
      nBefore[rank] = (nBefore[rank] ?? 0) + 1;
    }
  }
  return takeInOrder(followers, nBefore).flatMap((rank) => trials[rank] ?? []);
}

/** Ranks so that each comes after those it follows, the smallest free rank first; a cycle is cut at its smallest rank. */
function takeInOrder(followers: readonly (readonly number[] | null)[], nBefore: number[]): number[] {
  const heap = new RankHeap();
  nBefore.forEach((count, rank) => {
    if (count === 0) heap.push(rank);
  });
  const isTaken = nBefore.map(() => false);
  const order: number[] = [];
  let cursor = 0;
  while (order.length < nBefore.length) {
    let rank = heap.pop();
    if (rank === undefined) {
      while (isTaken[cursor] === true) cursor++;
      rank = cursor;
    }
    if (isTaken[rank] === true) continue;
    isTaken[rank] = true;
    order.push(rank);
    for (const follower of followers[rank] ?? []) {
      const left = (nBefore[follower] ?? 0) - 1;
      nBefore[follower] = left;
      if (left === 0) heap.push(follower);
    }
  }
  return order;
}

/** A binary heap: a sorted list takes 2.8 s instead of 0.6 s for 200,000 trials whose lists free the later half one by one. */
class RankHeap {
  readonly #items: number[] = [];

  push(rank: number): void {
    const items = this.#items;
    let at = items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] ?? -Infinity;
      if (above <= rank) break;
      items[at] = above;
      at = parent;
    }
    items[at] = rank;
  }

  pop(): number | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = (items[left + 1] ?? Infinity) < (items[left] ?? Infinity) ? left + 1 : left;
      const below = items[child];
      if (below === undefined || below >= last) break;
      items[at] = below;
      at = child;
    }
    items[at] = last;
    return top;
  }
}
