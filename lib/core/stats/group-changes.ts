import { computeMeanInterval, type MeanInterval } from "./mean-interval";
import { computeMean, type TaskValues } from "./task-values";

export interface RewardPair {
  readonly group: string;
  readonly task: string;
  readonly before: number;
  readonly after: number;
}

export interface GroupChange {
  readonly group: string;
  readonly n: number;
  readonly before: MeanInterval;
  readonly after: MeanInterval;
  readonly difference: number;
  /** 1 for the highest mean; groups with equal means share the better rank. */
  readonly rankBefore: number;
  readonly rankAfter: number;
  readonly nChanged: number;
}

/**
 * Computes means and ranks of groups before and after rewards change, over the same trials with finite rewards.
 * @returns the best after the change first, without groups that have no pair
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

/** Returns ranks from 1 for the highest value. Equal values share the better rank and use up the ones below. */
function rankValues(values: readonly number[]): readonly number[] {
  return values.map((value) => 1 + values.filter((other) => other - value > TIE).length);
}
