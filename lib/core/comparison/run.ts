import { nameGroups, nameGroupsInFull } from "@/lib/core/charts/chart-group";
import type { SettingDifference } from "@/lib/core/domain/agent-settings";
import type { JobRecord } from "@/lib/core/domain/job";
import { compilePattern } from "@/lib/core/domain/run-in-time";
import type { ScoringChoice } from "@/lib/core/domain/scoring-choice";
import { shortenFolders } from "@/lib/core/domain/task-labels";
import type { RecomputedGroup } from "@/lib/core/domain/verification";
import type { PyValue } from "@/lib/core/scoring";
import type { MissingRule } from "@/lib/core/stats";

import { type GroupContent, renumber } from "./trials";

export interface CompareRule {
  /** An attempt passes when its reward is at least this. */
  readonly threshold: number;
  readonly missing: MissingRule;
  readonly tasks: "common" | "own";
}

export interface ComparedRun {
  readonly ref: string;
  readonly job: Pick<
    JobRecord,
    "key" | "name" | "time" | "firstTrialStart" | "harborVersion" | "scoringRule" | "maxRetries"
  >;
  readonly group: Pick<RecomputedGroup, "key" | "agent" | "model" | "provider" | "source">;
  readonly path: string;
  /** Different agent setups of its trials; null when no setting is known to differ. */
  readonly setups: { readonly differences: readonly SettingDifference[] } | null;
  /** k as text -> value in result.json; null without any. */
  readonly recordedPassAtK: ReadonlyMap<string, PyValue> | null;
}

export interface NamedRuns extends JoinedRuns {
  readonly label: string;
  /** The name with the parts that `label` omits because all groups share them; absent if equal to `label`. */
  readonly fullName?: string;
  /** The name a user gave the set, which its label then is; null without one. */
  readonly givenName: string | null;
  readonly runs: readonly [ComparedRun, ...ComparedRun[]];
}

/** True if labels can correct the joint score: its runs are of one agent and model and share no rollout. */
export function isCorrectable({ runs, contents }: Pick<NamedRuns, "runs" | "contents">): boolean {
  const [first, ...others] = runs.map(({ group: { agent, model } }) => JSON.stringify([agent, model]));
  return others.every((other) => other === first) && contents.every(({ nKnown }) => nKnown === 0);
}

/** Returns pass@k from the job's result.json; empty without any, and for a run set, which no job records. */
export function readRecordedPassAtK({ runs: [run, ...others] }: NamedRuns): ReadonlyMap<number, number> {
  if (others.length > 0) return new Map();
  const values = [...(run.recordedPassAtK ?? [])].map(([k, value]) => [Number(k), Number(value)] as const);
  return new Map(values.filter(([k, value]) => Number.isInteger(k) && Number.isFinite(value)));
}

interface NamedSet {
  readonly runs: NamedRuns["runs"];
  readonly setup: string;
  readonly name?: string | null;
}

/**
 * Returns unique names of groups and run sets, see {@link nameGroups}. A name given to a set is used unchanged, unless another set
 * has the same.
 */
export function nameSets(sets: readonly NamedSet[]): readonly string[] {
  return putGivenNames(sets, nameGroups(listNames(sets)));
}

/** Returns the names of {@link nameSets} with the parts that they omit because all share them. */
export function nameSetsInFull(sets: readonly NamedSet[]): readonly string[] {
  return putGivenNames(sets, nameGroupsInFull(listNames(sets)));
}

/** Jobs of one name get the shortest folder that distinguishes their first runs. */
function listNames(sets: readonly NamedSet[]) {
  const named = sets.map(({ runs, setup, name }) => {
    const [{ group, path }] = runs;
    return { group, path, setup, job: name ?? nameRuns(runs.map(nameJob)) };
  });
  const folders = Map.groupBy(named, ({ job }) => job);
  const places = new Map(
    [...folders].flatMap(([job, own]) => {
      const paths = [...new Set(own.map(({ path }) => path))];
      const short = paths.length < 2 ? [] : shortenFolders(paths.map((path) => path.split("/")));
      return paths.map((path, at) => [`${job}\n${path}`, short[at] ?? ""] as const);
    }),
  );
  return named.map(({ group: { agent, model, key }, path, setup, job }) => {
    const place = places.get(`${job}\n${path}`) ?? "";
    return { agent, model, key, setup, job: place === "" ? job : `${job} (${place})` };
  });
}

/** Joined jobs whose names are only times are named after their folder. */
function nameJob({ job, path }: ComparedRun, _at: number, { length }: readonly ComparedRun[]): string {
  return length > 1 && dropTime(job.name) === "" ? (path.split("/").at(-2) ?? "") : job.name;
}

function putGivenNames(sets: readonly NamedSet[], found: readonly string[]): readonly string[] {
  const given = sets.map(({ name }) => name ?? null);
  const names = found.map((own, at) => given[at] ?? own);
  const marked = names.map((own, at) =>
    given[at] !== null && names.some((other, place) => place !== at && other === own)
      ? `${own} (run set)`
      : own,
  );
  const counts = new Map<string, number>();
  return marked.map((own) => {
    const nth = (counts.get(own) ?? 0) + 1;
    counts.set(own, nth);
    return nth === 1 ? own : `${own} (${nth})`;
  });
}

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
  return jobs.length < 2 ? stem : `${stem} ×${jobs.length}`;
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

function dropTime(name: string): string {
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

/**
 * The rule that treats jobs as repeats if their names differ only by a trailing number, see {@link suggestRunSets}. Any other rule
 * is a regular expression.
 */
const NUMBERS = "numbers";

/**
 * Groups runs by a rule on the names of their jobs: `numbers`, or a regular expression. Runs whose names have the same first
 * capture group, or else the same match, form one set. Runs of different agents, models or datasets are never grouped.
 * @returns references of each set in the order of the runs, including sets of one where an expression matches one run only
 * @throws SyntaxError for an invalid regular expression
 */
export function findRunSets(runs: readonly SingleRun[], rule: string): readonly (readonly string[])[] {
  if (rule === NUMBERS) return suggestRunSets(runs);
  const expression = compilePattern(rule, "u");
  const matches = runs.flatMap(({ ref, jobName, kind }) => {
    const match = expression.exec(jobName);
    return match === null ? [] : [{ ref, set: JSON.stringify([kind, match[1] ?? match[0]]) }];
  });
  return [...Map.groupBy(matches, ({ set }) => set).values()].map((set) => set.map(({ ref }) => ref));
}

const MOST_RUNS = 50;

export function listNewRuns(
  found: readonly (readonly string[])[],
  own: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): readonly string[] {
  const joined = found.filter((refs) => refs.some((ref) => own.has(ref))).flat();
  const added = joined.filter((ref) => !own.has(ref) && !taken.has(ref));
  return [...new Set(added)].slice(0, Math.max(0, MOST_RUNS - own.size));
}

/**
 * Groups runs of one agent and model with the same agent settings, and in one folder if `isByFolder`. A run that is still active
 * stays separate: it would leave the others without a rank.
 * @returns sets in the order of their first runs, including sets of one
 */
export function poolBySettings<
  Run extends {
    readonly group: { readonly agent: string; readonly model: string | null };
    readonly content: Pick<GroupContent, "trials" | "settings">;
    readonly path: string;
  },
>(runs: readonly Run[], isByFolder = false): readonly (readonly [Run, ...Run[]])[] {
  const sets = new Map<string, [Run, ...Run[]]>();
  for (const run of runs) {
    const { group, content, path } = run;
    const settings = Array.from(content.settings ?? [], ([name, values]) => [name, [...values].toSorted()]);
    const isRunning = content.trials.some(({ state }) => state === "running");
    const kind = [
      group.agent,
      group.model,
      content.settings !== null,
      settings.toSorted(),
      isRunning,
      isByFolder ? findParent(path) : null,
    ];
    const key = JSON.stringify(kind);
    const known = sets.get(key);
    if (known === undefined) sets.set(key, [run]);
    else known.push(run);
  }
  return [...sets.values()];
}

/**
 * Returns the references of runs that look like repeats: by {@link suggestRunSets}, or of one kind in one folder where job names
 * are only times.
 */
export function listLikelyRepeats(runs: readonly ComparedRun[]): readonly (readonly string[])[] {
  const named = runs.map(({ ref, job, group }) => ({ ref, jobName: job.name, kind: nameKind(group) }));
  const timed = runs.filter(({ job }) => dropTime(job.name) === "");
  const sets = Map.groupBy(timed, ({ path, group }) => JSON.stringify([findParent(path), nameKind(group)]));
  const inFolders = [...sets.values()].filter((set) => set.length > 1);
  return [...suggestRunSets(named), ...inFolders.map((set) => set.map(({ ref }) => ref))];
}

function findParent(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

export function nameKind(group: {
  readonly key: string;
  readonly agent: string;
  readonly model: string | null;
  readonly source: string | null;
}): string {
  return JSON.stringify([group.key, group.agent, group.model, group.source]);
}
