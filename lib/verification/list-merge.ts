import type { TrialRecord } from "@/lib/domain/trial";

/**
 * Reorders trials so that every list of names is respected, and otherwise, or where lists contradict one another, keeps the
 * given order.
 */
export function mergeByLists(
  trials: readonly TrialRecord[],
  lists: readonly (readonly string[])[],
): TrialRecord[] {
  const rankByName = new Map(trials.map((trial, rank) => [trial.trialName, rank]));
  const followers = trials.map((): number[] => []);
  const nBefore = trials.map(() => 0);
  for (const list of lists) {
    const ranks = list.flatMap((name) => rankByName.get(name) ?? []);
    for (const [index, rank] of ranks.slice(1).entries()) {
      const previous = ranks[index];
      if (previous === undefined || previous === rank) continue;
      followers[previous]?.push(rank);
      nBefore[rank] = (nBefore[rank] ?? 0) + 1;
    }
  }
  return takeInOrder(followers, nBefore).flatMap((rank) => trials[rank] ?? []);
}

/** Ranks so that each comes after those it follows, the smallest free rank first; a cycle is cut at its smallest rank. */
function takeInOrder(followers: readonly (readonly number[])[], nBefore: number[]): number[] {
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

/** A binary min-heap of ranks. */
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
