import "server-only";

import type { TrialJudgments } from "@/lib/annotations";
import { type JobParams, readDimension } from "@/lib/addresses/job";
import { JOB_PAGE_ROWS, type VerifierFilter } from "@/lib/domain/job-filter";
import { type ListPage, type ListRange, rangeOfPage } from "@/lib/domain/list-page";
import { OUTCOMES } from "@/lib/domain/trial";
import type { Suspicion } from "@/lib/domain/verifier-check";
import {
  type FacetValue,
  type FacetValues,
  type IndexStore,
  type JobHead,
  readDisagreeingKeys,
  readJobFacets,
  readSuspicions,
  readTaggedKeys,
  readTrialPositions,
  readTrials,
  readTrialsAt,
  readTrialSpot,
  type TrialRow,
  type TrialSelection,
  type TrialSpot,
} from "@/lib/store";
import { readReward } from "@/lib/verification";

import { getJudgedOfJob, type JudgedOfJob } from "../annotations/judged";
import { pickKnown } from "./facets";
import { readFlippedKeys } from "./lineage";
import { isDividedGroup } from "./settings";
import { selectJudged } from "./reviews";

/** One row of the trials tab. */
export interface TrialsRow extends TrialRow {
  /** The shown reward as Python writes it, and its double; null when the trial has none for the key. */
  readonly reward: { readonly text: string; readonly value: number } | null;
  readonly judgments: TrialJudgments | null;
  /** Null when nothing speaks against the verifier, or its files are not read yet. */
  readonly suspicion: Suspicion | null;
}

/** The trials tab. */
export type TrialsPanel = Awaited<ReturnType<typeof getTrialsPanel>>;

/** The trials of a job that fit the filter, sorted, one page of them, and facets whose counts are over the whole job. */
export async function getTrialsPanel(store: IndexStore, job: JobHead, filter: JobParams) {
  const [page, facets] = await Promise.all([
    getTrialsPage(store, job, filter, rangeOfPage(filter.page, JOB_PAGE_ROWS)),
    readJobFacets(store, job.rowId),
  ]);
  return {
    ...page,
    nTrials: job.nTrials,
    outcomes: pickKnown(facets, "trial-outcome", OUTCOMES),
    exceptions: facets.get("trial-exception") ?? [],
    groups: filter.isDivided ? listGroupFacet(job, facets) : (facets.get("trial-group") ?? []),
    rewardKeys: facets.get("trial-reward-key") ?? [],
  };
}

/** Parts of divided groups, and the other groups whole. */
function listGroupFacet({ groups }: JobHead, facets: FacetValues): readonly FacetValue[] {
  const divided = new Set(groups.filter(isDividedGroup).map(({ group }) => group.key));
  const whole = (facets.get("trial-group") ?? []).filter(({ value }) => !divided.has(value));
  return [...(facets.get("trial-setup") ?? []), ...whole];
}

/** Some of the trials that fit, sorted, without what the table's menus need. */
export async function getTrialsPage(
  store: IndexStore,
  job: JobHead,
  filter: JobParams,
  range: ListRange,
): Promise<ListPage<TrialsRow>> {
  const judged = await getJudgedOfJob(store, job.rowId);
  const selection = await selectTrials(store, job, filter, judged);
  const sort = { by: filter.trialSort, descending: filter.descending };
  const page = await readTrials(store, job.rowId, selection, sort, range);
  return { ...page, rows: await completeRows(store, job, filter, page.rows, judged) };
}

/** Few enough to be read in some milliseconds, in which nobody else is served. */
const LISTED_AT_ONCE = 200;

/** Every trial that fits the filter, sorted, with its judgments, some hundred read at a time, for export. */
export async function* listTrials(
  store: IndexStore,
  job: JobHead,
  filter: JobParams,
): AsyncGenerator<TrialsRow> {
  const judged = await getJudgedOfJob(store, job.rowId);
  const selection = await selectTrials(store, job, filter, judged);
  const sort = { by: filter.trialSort, descending: filter.descending };
  const positions = await readTrialPositions(store, job.rowId, selection, sort);
  for (let start = 0; start < positions.length; start += LISTED_AT_ONCE) {
    const rows = await readTrialsAt(store, job.rowId, positions.slice(start, start + LISTED_AT_ONCE));
    yield* await completeRows(store, job, filter, rows, judged);
    // A database in this process answers without a pause: one here lets other requests have their turn.
    await new Promise((settle) => setImmediate(settle));
  }
}

/** What stands beside a trial in other tables. */
async function completeRows(
  store: IndexStore,
  job: JobHead,
  { rewardKey }: Pick<JobParams, "rewardKey">,
  rows: readonly TrialRow[],
  judged: JudgedOfJob | null,
): Promise<readonly TrialsRow[]> {
  const keys = rows.map(({ trial }) => trial.key);
  const suspicions = await readSuspicions(store, job.rowId, keys);
  return rows.map((row) => {
    const { key } = row.trial;
    const reward = readReward(row.trial.rewards, rewardKey);
    return {
      ...row,
      reward: reward && { text: reward.text, value: Number(reward.value) },
      judgments: judged?.get(key)?.judgments ?? null,
      suspicion: suspicions.get(key) ?? null,
    };
  });
}

/** Where the trial at a position of its job stands among those that fit, and the trials beside that place; null when it is gone. */
export async function getTrialSpot(
  store: IndexStore,
  job: JobHead,
  filter: JobParams,
  position: number,
): Promise<TrialSpot | null> {
  const selection = await selectTrials(store, job, filter, await getJudgedOfJob(store, job.rowId));
  const sort = { by: filter.trialSort, descending: filter.descending };
  return readTrialSpot(store, job.rowId, selection, sort, position);
}

async function selectTrials(
  store: IndexStore,
  job: JobHead,
  filter: JobParams,
  judged: JudgedOfJob | null,
): Promise<TrialSelection> {
  const reviewed = selectJudged(judged, filter.judgments);
  const tagged = filter.tags.length > 0 ? await readTaggedKeys(store, job.rowId, filter.tags) : null;
  const doubted =
    filter.verifier.length > 0 ? await readDoubtedKeys(store, job.rowId, filter.verifier) : null;
  const flipped = filter.flips.length > 0 ? await readFlippedKeys(store, job.rowId, filter.flips) : null;
  return {
    text: filter.text,
    outcomes: filter.outcomes,
    exceptions: filter.exceptions,
    groups: filter.groups,
    agents: filter.agents,
    tasks: filter.tasks,
    rewardKey: filter.rewardKey,
    reward: { min: filter.rewardMin, max: filter.rewardMax },
    costUsd: { min: filter.costMin, max: filter.costMax },
    durationMs: { min: toMs(filter.minutesMin), max: toMs(filter.minutesMax) },
    only: [reviewed.only, tagged, doubted, flipped].reduce(intersect, null),
    except: reviewed.except,
    figure: filter.figure,
    dimension: readDimension(filter),
  };
}

async function readDoubtedKeys(
  store: IndexStore,
  jobRowId: number,
  filter: readonly VerifierFilter[],
): Promise<ReadonlySet<string>> {
  const suspects = filter.includes("suspect") ? [...(await readSuspicions(store, jobRowId)).keys()] : [];
  const nondeterministic = filter.includes("nondeterministic")
    ? await readDisagreeingKeys(store, jobRowId)
    : [];
  return new Set([...suspects, ...nondeterministic]);
}

function intersect(a: ReadonlySet<string> | null, b: ReadonlySet<string> | null): ReadonlySet<string> | null {
  if (a === null || b === null) return a ?? b;
  return new Set([...a].filter((key) => b.has(key)));
}

function toMs(minutes: number | null): number | null {
  return minutes === null ? null : minutes * 60_000;
}
