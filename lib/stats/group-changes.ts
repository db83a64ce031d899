import { computeMeanInterval, type MeanInterval } from "./mean-interval";
import { computeMean, type TaskValues } from "./task-values";

/** A trial's reward before and after a change of how it is computed. */
export interface RewardPair {
  readonly group: string;
  readonly task: string;
  readonly before: number;
  readonly after: number;
}

/** What a change of rewards does to one group. */
export interface GroupChange {
  readonly group: string;
  /** Trials with a reward before and after. */
  readonly n: number;
  readonly before: MeanInterval;
  readonly after: MeanInterval;
  readonly difference: number;
  /** From 1 for the highest mean; groups with equal means share the better rank. */
  readonly rankBefore: number;
  readonly rankAfter: number;
  readonly nChanged: number;
}

/**
 * Means and ranks of groups before and after rewards change, over the same trials with finite rewards.
 * @returns the best after the change first; groups without a pair are absent
 */
export function computeGroupChanges(pairs: readonly RewardPair[]): readonly GroupChange[] {
  const groups = [...Map.groupBy(pairs, ({ group }) => group)].flatMap(([group, own]) => {
    const before = summarise(own, (pair) => pair.before);
    const after = summarise(own, (pair) => pair.after);
    if (before === null || after === null) return [];
    const nChanged = own.filter((pair) => pair.before !== pair.after).length;
    const difference = computeMean(own.map((pair) => pair.after - pair.before));
    return { group, n: own.length, before, after, difference, nChanged };
  });
  const ranksBefore = rankValues(groups.map(({ before }) => before.mean));
  const ranksAfter = rankValues(groups.map(({ after }) => after.mean));
  return groups
    .map((group, index) => ({
      ...group,
      rankBefore: ranksBefore[index] ?? 1,
      rankAfter: ranksAfter[index] ?? 1,
    }))
    .sort((a, b) => a.rankAfter - b.rankAfter || a.rankBefore - b.rankBefore);
}

function summarise(pairs: readonly RewardPair[], pick: (pair: RewardPair) => number): MeanInterval | null {
  const tasks = [...Map.groupBy(pairs, ({ task }) => task)].map(([task, own]): TaskValues => ({
    task,
    values: own.map(pick),
  }));
  const interval = computeMeanInterval(tasks, { missing: "exclude" });
  return interval.kind === "computed" ? interval : null;
}

/** Means closer than this are equal: the same values added in another order. */
const TIE = 1e-12;

/** Ranks from 1 for the highest value; equal values share the better rank, and the next one is as if they did not. */
function rankValues(values: readonly number[]): readonly number[] {
  return values.map((value) => 1 + values.filter((other) => other - value > TIE).length);
}
