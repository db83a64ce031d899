import { nameGroups, nameGroupsInFull } from "@/lib/charts/chart-group";
import type { SettingDifference } from "@/lib/domain/agent-settings";
import { shortenFolders } from "@/lib/domain/task-labels";
import type { JobRecord } from "@/lib/domain/job";
import type { RecomputedGroup } from "@/lib/domain/verification";
import type { PyValue } from "@/lib/scoring";
import type { MissingRule } from "@/lib/stats";

import { dropTime, type JoinedRuns, nameRuns } from "./run-set";

/** What counts how, whatever is compared. */
export interface CompareRule {
  /** An attempt passes when its reward is at least this. */
  readonly threshold: number;
  readonly missing: MissingRule;
  /** Whether curves are over the tasks that all groups share, or each over its own. */
  readonly tasks: "common" | "own";
}

/** One evals group of one job, as a comparison needs it. */
export interface ComparedRun {
  /** Names it among all. */
  readonly ref: string;
  readonly job: Pick<
    JobRecord,
    "key" | "name" | "time" | "firstTrialStart" | "harborVersion" | "scoringRule" | "maxRetries"
  >;
  readonly group: Pick<RecomputedGroup, "key" | "agent" | "model" | "provider" | "source">;
  /** Path of its job's folder. */
  readonly path: string;
  /** How its trials' agents were set up in different ways; null when no setting is known to differ. */
  readonly setups: { readonly differences: readonly SettingDifference[] } | null;
  /** k as text to value as result.json states it; null when it states none. */
  readonly recordedPassAtK: ReadonlyMap<string, PyValue> | null;
}

/** What is compared under one name: a run, or a run set. */
export interface NamedRuns extends JoinedRuns {
  readonly label: string;
  /** The name with what `label` leaves out because all groups share it; absent where they are the same. */
  readonly fullName?: string;
  /** What somebody called the set, which its label then is; null where nobody did. */
  readonly givenName: string | null;
  readonly runs: readonly [ComparedRun, ...ComparedRun[]];
}

/** Whether labels can correct the score of what is counted together: its runs are of one agent and model and share no rollout. */
export function isCorrectable({ runs, contents }: Pick<NamedRuns, "runs" | "contents">): boolean {
  const [first, ...others] = runs.map(({ group: { agent, model } }) => JSON.stringify([agent, model]));
  return others.every((other) => other === first) && contents.every(({ nKnown }) => nKnown === 0);
}

/** pass@k as the job's result.json states it for a run; empty when it states none, and for a run set, of which no job knows. */
export function readRecordedPassAtK({ runs: [run, ...others] }: NamedRuns): ReadonlyMap<number, number> {
  if (others.length > 0) return new Map();
  const values = [...(run.recordedPassAtK ?? [])].map(([k, value]) => [Number(k), Number(value)] as const);
  return new Map(values.filter(([k, value]) => Number.isInteger(k) && Number.isFinite(value)));
}

interface NamedSet {
  readonly runs: NamedRuns["runs"];
  /** Of a part of a group its settings in words, else empty. */
  readonly setup: string;
  /** What somebody called the set; null where nobody did. */
  readonly name?: string | null;
}

/**
 * Names that tell groups and run sets apart, see {@link nameGroups}; a name that was given to a set stands as it is, unless
 * another one says the same.
 */
export function nameSets(sets: readonly NamedSet[]): readonly string[] {
  return putGivenNames(sets, nameGroups(listNames(sets)));
}

/** The names of {@link nameSets} with what they leave out because all share it. */
export function nameSetsInFull(sets: readonly NamedSet[]): readonly string[] {
  return putGivenNames(sets, nameGroupsInFull(listNames(sets)));
}

/** Returns what names are made of. Jobs of one name get the shortest folder that tells their first runs apart. */
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

/** Jobs that only a time names are called by their folder where they count together. */
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
    return nth === 1 ? own : `${own} (${String(nth)})`;
  });
}
