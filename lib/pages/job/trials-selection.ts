import "server-only";
import type { VerifierFilter } from "@/lib/core/domain/job-filter";
import { readDimension, type TrialsParams } from "@/lib/pages/trials/address";
import {
  type IndexStore,
  type JobHead,
  readGroupNames,
  readDisagreeingKeys,
  readJobIds,
  readSuspicionsAt,
  readReportedTagKeys,
  readTaggedKeys,
  type TrialKeys,
  type TrialSelection,
} from "@/lib/store/tables";

import { getJudgedOrNull, type JudgedOfJob, readImportedTagKeys } from "../annotations/judged";
import { listJoinedKeys } from "../clusters/clusters";
import { findSetRuns } from "../run-sets/runs";
import { REFERENCES } from "../tasks/counted";
import { readFlippedKeys } from "./lineage";
import { selectJudged } from "./reviews";

export type JudgedByJob = ReadonlyMap<number, JudgedOfJob>;

/** A null job means all jobs. */
export async function openTrialsList(store: IndexStore, job: JobHead | null, filter: TrialsParams) {
  const judged = (await getJudgedOrNull(store))?.byJob ?? null;
  const ofJobs = job === null ? judged : judged && pick(judged, job.rowId);
  return {
    judged,
    jobs: job?.rowId ?? (filter.jobs.length === 0 ? null : await readJobIds(store, filter.jobs)),
    selection: await selectTrials(store, job, filter, ofJobs),
    sort: { by: filter.sort, descending: filter.descending },
  };
}

function pick(judged: JudgedByJob, jobRowId: number): JudgedByJob {
  const own = judged.get(jobRowId);
  return own === undefined ? new Map() : new Map([[jobRowId, own]]);
}

async function selectTrials(
  store: IndexStore,
  job: JobHead | null,
  filter: TrialsParams,
  judged: JudgedByJob | null,
): Promise<TrialSelection> {
  const reviewed = selectJudged(judged, filter.judgments);
  const found = [
    filter.verifier.length > 0 ? await readDoubtedKeys(store, job, filter.verifier) : null,
    job !== null && filter.tags.length > 0 ? await readTaggedKeysOfAll(store, job.rowId, filter.tags) : null,
    job !== null && filter.flips.length > 0
      ? new Map([[job.rowId, await readFlippedKeys(store, job.rowId, filter.flips)]])
      : null,
  ];
  return {
    text: filter.text,
    outcomes: filter.outcomes,
    exceptions: filter.exceptions,
    failureClasses: filter.failureClasses,
    clusters: await listJoinedKeys(store, filter.clusters),
    groups: filter.datasets.length === 0 ? filter.groups : await listGroupsOf(store, filter),
    agents: filter.agents,
    exceptAgents: filter.isWithoutReference ? REFERENCES : [],
    digests: filter.digests,
    evidence: filter.evidence,
    tasks: filter.tasks,
    scanners: filter.scanners,
    runs: filter.runSets.length === 0 ? null : await findSetRuns(store, filter.runSets),
    rewardKey: filter.rewardKey,
    reward: { min: filter.rewardMin, max: filter.rewardMax },
    costUsd: { min: filter.costMin, max: filter.costMax },
    durationMs: { min: toMs(filter.minutesMin), max: toMs(filter.minutesMax) },
    endedFromMs: filter.endedFrom,
    only: found.reduce(intersect, reviewed.only),
    except: reviewed.except,
    figure: filter.figure,
    dimension: readDimension(filter),
  };
}

/** Returns keys of groups on these datasets; one that no group has if there is none. */
async function listGroupsOf(
  store: IndexStore,
  { datasets, groups }: Pick<TrialsParams, "datasets" | "groups">,
): Promise<readonly string[]> {
  const ids = new Set(datasets);
  const keys = (await readGroupNames(store)).flatMap(({ key, source }) =>
    source !== null && ids.has(source) && (groups.length === 0 || groups.includes(key)) ? key : [],
  );
  return keys.length === 0 ? [""] : keys;
}

/** Returns trials of a job with one of these categories, from its files, analysis jobs or imports. */
async function readTaggedKeysOfAll(
  store: IndexStore,
  jobRowId: number,
  tags: readonly string[],
): Promise<TrialKeys> {
  const imported = await readImportedTagKeys(store, tags);
  const inFiles = await readTaggedKeys(store, jobRowId, tags);
  const reported = await readReportedTagKeys(store, jobRowId, tags);
  return new Map([[jobRowId, new Set([...inFiles, ...reported, ...(imported.get(jobRowId) ?? [])])]]);
}

async function readDoubtedKeys(
  store: IndexStore,
  job: JobHead | null,
  filter: readonly VerifierFilter[],
): Promise<TrialKeys> {
  const found: TrialKeys[] = [];
  if (filter.includes("suspect")) {
    const suspicions = await readSuspicionsAt(store);
    found.push(new Map(Array.from(suspicions, ([id, own]) => [id, new Set(own.keys())])));
  }
  if (filter.includes("nondeterministic")) found.push(await readDisagreeingKeys(store, job?.rowId ?? null));
  return found.reduce(unite, new Map());
}

function unite(a: TrialKeys, b: TrialKeys): TrialKeys {
  const jobs = new Set([...a.keys(), ...b.keys()]);
  return new Map(Array.from(jobs, (id) => [id, new Set([...(a.get(id) ?? []), ...(b.get(id) ?? [])])]));
}

function intersect(a: TrialKeys | null, b: TrialKeys | null): TrialKeys | null {
  if (a === null || b === null) return a ?? b;
  return new Map(
    Array.from(a, ([id, keys]) => [id, new Set([...keys].filter((key) => b.get(id)?.has(key) === true))]),
  );
}

function toMs(minutes: number | null): number | null {
  return minutes === null ? null : minutes * 60_000;
}
