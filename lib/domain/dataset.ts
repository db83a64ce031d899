import { compareNames } from "./compare-text";
import { boundName } from "./text-bounder";

/** Tabs of the page of a dataset, the first one by default. */
export const DATASET_TABS = ["leaderboard", "history", "health"] as const;

export type DatasetTab = (typeof DATASET_TABS)[number];

/** What a leaderboard can be copied and printed as, the first by default. */
export const LEADERBOARD_FORMATS = ["markdown", "csv", "latex"] as const;

export type LeaderboardFormat = (typeof LEADERBOARD_FORMATS)[number];

/** What an evals group ran on: what its trials name as their dataset, and its tasks. */
export interface RanOn {
  /** As the trials' configs name it; null for tasks that were run by themselves. */
  readonly source: string | null;
  /** Names of its tasks, in any order. */
  readonly tasks: readonly string[];
}

/** A dataset as far as the files tell it apart from others. */
export interface DatasetName {
  /** Tells it from all others, in addresses too. */
  readonly id: string;
  /** What to call it: the name that trials state, else its tasks. */
  readonly label: string;
  /** Whether any trial names it. Without a name only groups of the very same tasks are one dataset. */
  readonly isNamed: boolean;
}

/** No real dataset begins with it; one that does gets it in front. */
const UNNAMED = "~";

/**
 * The dataset of an evals group. Its name is all that a result states of it: neither a version nor where it came from. A group without
 * one is told by its tasks, since all such groups of all jobs have nothing else in common.
 */
export function nameDataset({ source, tasks }: RanOn): DatasetName {
  if (source !== null && source !== "") {
    const id = source.startsWith(UNNAMED) ? `${UNNAMED}named:${source}` : source;
    return { id, label: source, isNamed: true };
  }
  const sorted = [...new Set(tasks)].toSorted(compareNames);
  const [first = "no task", ...others] = sorted;
  const label = others.length === 0 ? first : `${first} and ${String(others.length)} more`;
  const id = `${UNNAMED}${others.length === 0 ? "task" : "tasks"}:${boundName(JSON.stringify(sorted))}`;
  return { id: others.length === 0 ? `${UNNAMED}task:${first}` : id, label, isNamed: false };
}

/** Percent of a dataset's tasks that a rank on its leaderboard takes, unless another limit is asked for. */
export const DEFAULT_COVERAGE = 80;
