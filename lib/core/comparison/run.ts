import { nameGroups, nameGroupsInFull } from "@/lib/core/charts/chart-group";
import type { SettingDifference } from "@/lib/core/domain/agent-settings";
import type { JobRecord } from "@/lib/core/domain/job";
import { shortenFolders } from "@/lib/core/domain/task-labels";
import type { RecomputedGroup } from "@/lib/core/domain/verification";
import type { PyValue } from "@/lib/core/scoring";
import type { MissingRule } from "@/lib/core/stats";

import { dropTime, type JoinedRuns, nameRuns } from "./run-set";

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
    return nth === 1 ? own : `${own} (${String(nth)})`;
  });
}
