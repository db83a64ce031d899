import "server-only";
import { NotFoundError, StoreError } from "@/lib/core/domain/app-error";
import type { ExportFormat } from "@/lib/core/domain/export-format";
import type { ListedTrial } from "@/lib/core/fields/trials.fields";
import { makeTrialTable } from "@/lib/output/export";
import { readTrialsRequest, type TrialsParams } from "@/lib/pages/trials/address";
import {
  type IndexStore,
  type JobHead,
  readHead,
  readHeads,
  readRewardKeys,
  readRootLabel,
  readTrialFacets,
  readTrialsVersions,
} from "@/lib/store/tables";

import { nameSetsOfRuns } from "../run-sets/saved";
import { getCached, getIndex, getIndexOfJob } from "../shell/catalog";
import { type Download, serveDownload } from "../shell/download";
import { listTrials } from "./trials";

export async function serveTrials(
  format: ExportFormat,
  { url }: Request,
  params: Promise<{ readonly job: string }>,
): Promise<Response> {
  const { job } = await params;
  return serveDownload({ format, url }, async () => {
    const { store, status } = await getIndexOfJob(job);
    return readTrialsDownload(store, job, readTrialsRequest(url), status().generation);
  });
}

/** @throws NotFoundError, StoreError while its trials are not read */
export async function readTrialsDownload(
  store: IndexStore,
  jobKey: string,
  filter: TrialsParams,
  generation: number,
): Promise<Download<ListedTrial>> {
  const { job, root, rows } = await openTrials(store, jobKey, filter);
  const setsOf = await nameSetsOfRuns(store);
  const table = makeTrialTable(await readRewardKeys(store, job.rowId));
  return { name: `${job.name}-trials`, table, rows: toListedRows({ job, root, setsOf }, rows), generation };
}

export async function serveAllTrials(format: ExportFormat, { url }: Request): Promise<Response> {
  return serveDownload({ format, url }, async () => {
    const { store, status } = await getIndex();
    const rows = readAllRows(store, readTrialsRequest(url, true));
    const keys = (await getCached("trial-facets", readTrialFacets)).get("trial-reward-key") ?? [];
    const table = makeTrialTable(keys.map(({ value }) => value));
    return { name: "trials", table, rows, generation: status().generation };
  });
}

/** @throws StoreError when the trials of a job are rewritten meanwhile */
export async function* readAllRows(
  store: IndexStore,
  filter: TrialsParams,
): AsyncGenerator<ListedTrial, void> {
  const setsOf = await nameSetsOfRuns(store);
  const opened = new Map<number, Pick<OpenTrials, "job" | "root">>();
  for await (const row of readRows(store, null, filter)) {
    const known = opened.get(row.jobRowId);
    const at = known ?? (await openJob(store, row.jobRowId));
    if (known === undefined) opened.set(row.jobRowId, at);
    yield toListed({ ...at, setsOf }, row);
  }
}

async function openJob(store: IndexStore, jobRowId: number): Promise<Pick<OpenTrials, "job" | "root">> {
  const [job] = await readHeads(store, [jobRowId]);
  if (job === undefined) throw new StoreError(...CHANGED);
  return { job, root: await readLabel(store, job) };
}

async function* toListedRows(
  at: ListedAt,
  rows: AsyncIterable<FailureRow>,
): AsyncGenerator<ListedTrial, void> {
  for await (const row of rows) yield toListed(at, row);
}

type FailureRow = ReturnType<typeof listTrials> extends AsyncGenerator<infer Row> ? Row : never;

interface ListedAt extends Pick<OpenTrials, "job" | "root"> {
  readonly setsOf: Awaited<ReturnType<typeof nameSetsOfRuns>>;
}

export function toListed(
  { job, root, setsOf }: ListedAt,
  { trial, failure, nSteps, nErrors, judgments }: FailureRow,
): ListedTrial {
  const review = judgments && { judgment: judgments.judgment, disagrees: judgments.disagrees };
  const runSets = setsOf(job.key, trial.groupKey);
  return { job, root, trial, failure, nSteps, nErrors, review, runSets };
}

export interface OpenTrials {
  readonly job: JobHead;
  readonly root: string | null;
  /** Throws a StoreError when the job's trials are rewritten meanwhile. */
  readonly rows: AsyncIterable<FailureRow>;
}

/** Fails early because an empty file would mean that the job has no trials. @throws NotFoundError, StoreError */
export async function openTrials(
  store: IndexStore,
  jobKey: string,
  filter: TrialsParams,
): Promise<OpenTrials> {
  const job = await readHead(store, jobKey);
  if (job === null) throw new NotFoundError("No such job is open.");
  if (!job.isRead) {
    throw new StoreError(
      "store_unavailable",
      "The trials of this job have not been read yet. Try again in a moment.",
    );
  }
  return { job, root: await readLabel(store, job), rows: readRows(store, job, filter) };
}

export async function readLabel(store: IndexStore, { root }: JobHead): Promise<string | null> {
  const label = await readRootLabel(store, root);
  return label === "" ? null : label;
}

const CHANGED = [
  "store_unavailable",
  "A job changed, or was read again, while its trials were written. Try again in a moment.",
] as const;

const ROWS_BETWEEN_CHECKS = 1_000;

/** Yields rows of one state of each job, or throws. A row records if derived data, such as its failure class, was known. */
async function* readRows(
  store: IndexStore,
  job: JobHead | null,
  filter: TrialsParams,
): AsyncGenerator<FailureRow, void> {
  const at = job?.rowId ?? null;
  const versions = await readTrialsVersions(store, at);
  const ids = new Set(at === null ? [] : [at]);
  const check = async () => {
    const now = await readTrialsVersions(store, at);
    for (const id of ids) {
      const version = versions.get(id);
      if (version === undefined || version !== now.get(id)) throw new StoreError(...CHANGED);
    }
  };
  let nRows = 0;
  for await (const row of listTrials(store, job, filter)) {
    ids.add(row.jobRowId);
    if (nRows % ROWS_BETWEEN_CHECKS === 0) await check();
    nRows += 1;
    yield row;
  }
  await check();
}
