import type { ScoringChoice } from "@/lib/core/domain/scoring-choice";

import { type GroupContent, renumber } from "./trials";

export interface JoinedRuns extends Pick<GroupContent, "trials" | "figures"> {
  /** Absent where each job's own rule applies. */
  readonly scoring?: ScoringChoice;
  /** Per run: its content, its trials that count, and the number that do not because an earlier run has their rollout. */
  readonly contents: readonly (GroupContent & {
    readonly counted: GroupContent["trials"];
    readonly nKnown: number;
  })[];
}

/**
 * Joins the trials of runs, with attempts numbered in the order of the runs. A rollout counts once, for the first run with a trial
 * of it. Regrades, jobs under two names and copies repeat rollouts.
 */
export function joinRuns(contents: readonly GroupContent[]): JoinedRuns {
  const [only, ...others] = contents;
  if (only !== undefined && others.length === 0)
    return {
      trials: only.trials,
      figures: only.figures,
      contents: [{ ...only, counted: only.trials, nKnown: 0 }],
    };
  const known = new Set<string>();
  const runs = contents.map((content) => {
    const counted = content.trials.filter(({ rollout }) => rollout === null || !known.has(rollout));
    // A single run may grade a rollout twice; both count.
    for (const { rollout } of counted) if (rollout !== null) known.add(rollout);
    return { ...content, counted, nKnown: content.trials.length - counted.length };
  });
  return {
    trials: renumber(runs.flatMap(({ counted }) => counted)),
    figures: {
      nFigures: contents.reduce((sum, { figures }) => sum + figures.nFigures, 0),
      nExact: contents.reduce((sum, { figures }) => sum + figures.nExact, 0),
    },
    contents: runs,
  };
}

/** Returns the common start of the job names and their number, else the first name. */
export function nameRuns(jobs: readonly string[]): string {
  const stem = nameStem(jobs);
  return jobs.length < 2 ? stem : `${stem} ×${String(jobs.length)}`;
}

export function nameStem(jobs: readonly string[]): string {
  const [first = "", ...others] = jobs;
  if (others.length === 0) return first;
  const [start = "", ...rest] = jobs.map(dropTime);
  const length = rest.reduce((most, name) => Math.min(most, countShared(start, name)), start.length);
  const stem = dropEnd(start.slice(0, length), isJoint);
  return stem === "" ? `${first} and others` : stem;
}

function countShared(a: string, b: string): number {
  const at = Array.from({ length: Math.min(a.length, b.length) }, (_, index) => index).find(
    (index) => a[index] !== b[index],
  );
  return at ?? Math.min(a.length, b.length);
}

/** A date with or without a time, as in Harbor's default job name. */
const TIME = /(?:19|20)\d\d-?[01]\d-?[0-3]\d(?:[T_ -]*[0-2]\d[-:.]?[0-5]\d(?:[-:.]?[0-5]\d)?Z?)?$/u;

export function dropTime(name: string): string {
  return name.replace(TIME, "");
}

const REPEAT_WORDS = ["run", "rep", "repeat", "try", "attempt", "seed"] as const;

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

function isJoint(char: string): boolean {
  return char.trim() === "" || "._-(".includes(char);
}

/** Drops trailing characters in linear time. */
function dropEnd(text: string, isDropped: (char: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isDropped(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * Returns a name without the number of a repeat: `base` of `base-2`, `base_run3` and `base (4)`. A name that is only a number
 * stays.
 */
function findStem(name: string): string {
  const open = name.endsWith(")") ? name.slice(0, -1) : name;
  const numberless = dropEnd(open, isDigit);
  if (numberless === open) return name;
  const stem = dropEnd(numberless, isJoint);
  const word = REPEAT_WORDS.find((one) => stem.toLowerCase().endsWith(one));
  const beforeWord = word === undefined ? stem : stem.slice(0, -word.length);
  const wordless = dropEnd(beforeWord, isJoint);
  // A word counts only after a joint: no "run" in "overrun5".
  const found = wordless === beforeWord ? stem : wordless;
  return found === "" ? name : found;
}

export interface SingleRun {
  readonly ref: string;
  readonly jobName: string;
  readonly kind: string;
}

/**
 * Returns runs that look like repeats by the names of their jobs: of one kind, and equal except for a trailing number. `checkRuns`
 * decides if they really are.
 * @returns sets of at least two runs, in the order of their first runs
 */
export function suggestRunSets(runs: readonly SingleRun[]): readonly (readonly string[])[] {
  const numbered = runs.filter(({ jobName }) => dropTime(jobName) === jobName);
  const sets = Map.groupBy(numbered, ({ jobName, kind }) => JSON.stringify([kind, findStem(jobName)]));
  return [...sets.values()].filter((set) => set.length > 1).map((set) => set.map(({ ref }) => ref));
}
