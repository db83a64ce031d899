import { compareNames } from "./compare-text";
import { boundName } from "./text-bounder";

export const DATASET_TABS = ["leaderboard", "history", "health"] as const;

export type DatasetTab = (typeof DATASET_TABS)[number];

export const LEADERBOARD_FORMATS = ["markdown", "csv", "latex"] as const;

export type LeaderboardFormat = (typeof LEADERBOARD_FORMATS)[number];

interface RanOn {
  readonly source: string | null;
  readonly tasks: readonly string[];
}

export interface DatasetName {
  readonly id: string;
  readonly label: string;
  readonly isNamed: boolean;
}

/** No real dataset name starts with it; one that does gets it as a prefix. */
const UNNAMED = "~";

/** @param id - see {@link nameDataset} */
export function isNamedDataset(id: string): boolean {
  return !id.startsWith(UNNAMED) || id.startsWith(`${UNNAMED}named:`);
}

/** A result records only a dataset's name, neither version nor origin. Groups without one are identified by their tasks. */
export function nameDataset({ source, tasks }: RanOn): DatasetName {
  if (source !== null && source !== "") {
    const id = source.startsWith(UNNAMED) ? `${UNNAMED}named:${source}` : source;
    return { id, label: source, isNamed: true };
  }
  const sorted = [...new Set(tasks)].toSorted(compareNames);
  const [first = "no task", ...others] = sorted;
  const label = others.length === 0 ? first : `${first} and ${others.length} more`;
  const id = `${UNNAMED}${others.length === 0 ? "task" : "tasks"}:${boundName(JSON.stringify(sorted))}`;
  return { id: others.length === 0 ? `${UNNAMED}task:${first}` : id, label, isNamed: false };
}

/** Percent of a dataset's tasks that a group needs for a rank on its leaderboard. */
export const DEFAULT_COVERAGE = 80;
