import { type MeanInterval, computeMeanInterval } from "./mean-interval";
import { ROUNDING, type TaskValues, computeMean } from "./task-values";

export interface RewardPair {
  readonly group: string;
  readonly task: string;
  readonly before: number;
  readonly after: number;
}

export type GroupChange = ReturnType<typeof computeGroupChanges>[number];

/**
 * Computes means and ranks of groups before and after rewards change, over the same trials with finite rewards.
 * @returns the best after the change first, without groups that have no pair
 */
export function computeGroupChanges(pairs: readonly RewardPair[]) {
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
      /** 1 for the highest mean; groups with equal means share the better rank. */
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

/** Returns ranks from 1 for the highest value. Equal values share the better rank and use up the ones below. */
function rankValues(values: readonly number[]): readonly number[] {
  return values.map((value) => 1 + values.filter((other) => other - value > ROUNDING).length);
}
