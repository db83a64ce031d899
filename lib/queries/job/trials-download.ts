import "server-only";

import { NotFoundError, StoreError } from "@/lib/domain/app-error";
import { type JobParams, readTrialsRequest } from "@/lib/addresses/job";
import type { ExportFormat } from "@/lib/domain/export-format";
import { makeReviewedTrialTable, type ReviewedTrial } from "@/lib/export";
import {
  type IndexStore,
  type JobHead,
  readHead,
  readHeads,
  readRewardKeys,
  readRootLabel,
} from "@/lib/store";

import { getIndex } from "../shell/catalog";
import { type Download, serveDownload } from "../shell/download";
import { listTrials, type TrialsRow } from "./trials";

/** The answer to a request for the trials table of a job as a file: the filters and order of its address, every page. */
export async function serveTrials(
  format: ExportFormat,
  { url }: Request,
  params: Promise<{ readonly job: string }>,
): Promise<Response> {
  const { job } = await params;
  return serveDownload({ format, url }, async () => {
    const { store, status } = await getIndex();
    return readTrialsDownload(store, job, readTrialsRequest(url), status().generation);
  });
}

/** The trials of a job that fit a filter, in its order. @throws NotFoundError, StoreError while its trials are not read */
export async function readTrialsDownload(
  store: IndexStore,
  jobKey: string,
  filter: JobParams,
  generation: number,
): Promise<Download<ReviewedTrial>> {
  const { job, root, rows } = await openTrials(store, jobKey, filter);
  const table = makeReviewedTrialTable(await readRewardKeys(store, job.rowId));
  return { name: `${job.name}-trials`, table, rows: toReviewed(job, root, rows), generation };
}

async function* toReviewed(
  job: JobHead,
  root: string | null,
  rows: AsyncIterable<TrialsRow>,
): AsyncGenerator<ReviewedTrial, void> {
  for await (const { trial, judgments } of rows) {
    const review = judgments && { judgment: judgments.judgment, disagrees: judgments.disagrees };
    yield { job, root, trial, review };
  }
}

/** Trials of one state of a job, about to be read one after the other. */
export interface OpenTrials {
  readonly job: JobHead;
  /** Label of the opened folder; null when it has none. */
  readonly root: string | null;
  /** Throws a StoreError when the job changes on the way. */
  readonly rows: AsyncIterable<TrialsRow>;
}

/** The same as rows. An empty file would say that a job has no trials. @throws NotFoundError, StoreError */
export async function openTrials(store: IndexStore, jobKey: string, filter: JobParams): Promise<OpenTrials> {
  const job = await readHead(store, jobKey);
  if (job === null) throw new NotFoundError("No such job is open.");
  if (!job.isRead) {
    throw new StoreError(
      "store_unavailable",
      "The trials of this job are not read yet. Try again in a moment.",
    );
  }
  const root = await readRootLabel(store, job.root);
  return { job, root: root === "" ? null : root, rows: readRows(store, job, filter) };
}

/** Rows between two looks at whether the job is still what it was. */
const ROWS_BETWEEN_CHECKS = 1_000;

async function* readRows(
  store: IndexStore,
  job: JobHead,
  filter: JobParams,
): AsyncGenerator<TrialsRow, void> {
  let nRows = 0;
  for await (const row of listTrials(store, job, filter)) {
    if (nRows % ROWS_BETWEEN_CHECKS === 0) await checkUnchanged(store, job);
    nRows += 1;
    yield row;
  }
  await checkUnchanged(store, job);
}

/** Rows that are read one after the other are of one state of the job, or there is no file. */
async function checkUnchanged(store: IndexStore, { rowId: id, version }: JobHead): Promise<void> {
  const [now] = await readHeads(store, [id]);
  if (now?.version === version) return;
  throw new StoreError("store_unavailable", "The job changed on disk while its trials were written.");
}
