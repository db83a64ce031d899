import type { ScoringChoice } from "@/lib/domain/scoring-choice";

import { type GroupContent, renumber } from "./trials";

/** The trials of several runs counted together. */
export interface JoinedRuns extends Pick<GroupContent, "trials" | "figures"> {
  /** The one rule by which trials count; absent where each job's own does. */
  readonly scoring?: ScoringChoice;
  /** Of each run in their order: all of it, the trials of it that count, and how many do not, since a run before it has their rollout. */
  readonly contents: readonly (GroupContent & {
    readonly counted: GroupContent["trials"];
    readonly nKnown: number;
  })[];
}

/**
 * Counts the trials of runs together, attempts numbered through in the order of the runs. A rollout counts once, by the first
 * run that has a trial of it: a regrade beside its source, a job under two names, a copy.
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
    // One run may grade a rollout twice by itself; that is its own affair.
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

/** What jobs counted together are called: what their names begin with alike and how many they are, else the first name. */
export function nameRuns(jobs: readonly string[]): string {
  const stem = nameStem(jobs);
  return jobs.length < 2 ? stem : `${stem} ×${String(jobs.length)}`;
}

/** Returns the common start of job names without times, or `first and others` if there is none. */
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

/** A date with or without a time, such as Harbor's default name of a job. */
const TIME = /(?:19|20)\d\d-?[01]\d-?[0-3]\d(?:[T_ -]*[0-2]\d[-:.]?[0-5]\d(?:[-:.]?[0-5]\d)?Z?)?$/u;

/** Returns a name without the time at its end, which is no number of a repeat. */
export function dropTime(name: string): string {
  return name.replace(TIME, "");
}

/** Words that stand before the number of a repeat. */
const REPEAT_WORDS = ["run", "rep", "repeat", "try", "attempt", "seed"] as const;

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

/** Whether a character joins a number or word to a name. */
function isJoint(char: string): boolean {
  return char.trim() === "" || "._-(".includes(char);
}

/** A text without what its end has of some characters, in linear time. */
function dropEnd(text: string, isDropped: (char: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isDropped(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A name without the number of a repeat: `base` of `base-2`, `base_run3` and `base (4)`; one that is only a number stays. */
function findStem(name: string): string {
  const open = name.endsWith(")") ? name.slice(0, -1) : name;
  const numberless = dropEnd(open, isDigit);
  if (numberless === open) return name;
  const stem = dropEnd(numberless, isJoint);
  const word = REPEAT_WORDS.find((one) => stem.toLowerCase().endsWith(one));
  const beforeWord = word === undefined ? stem : stem.slice(0, -word.length);
  const wordless = dropEnd(beforeWord, isJoint);
  // A word is one of its own only behind a joint: no "run" in "overrun5".
  const found = wordless === beforeWord ? stem : wordless;
  return found === "" ? name : found;
}

/** One run that is compared by itself. */
export interface SingleRun {
  readonly ref: string;
  readonly jobName: string;
  /** What has to be the same of repeats: agent, model, dataset. */
  readonly kind: string;
}

/**
 * Runs that look like repeats by the names of their jobs: of one kind, and alike but for a number at the end. Whether they are is
 * for `checkRuns` to say.
 *
 * @returns sets of two runs or more, in the order of their first runs
 */
export function suggestRunSets(runs: readonly SingleRun[]): readonly (readonly string[])[] {
  const numbered = runs.filter(({ jobName }) => dropTime(jobName) === jobName);
  const sets = Map.groupBy(numbered, ({ jobName, kind }) => JSON.stringify([kind, findStem(jobName)]));
  return [...sets.values()].filter((set) => set.length > 1).map((set) => set.map(({ ref }) => ref));
}
