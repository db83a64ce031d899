import "server-only";
import { prepareCompareJson } from "@/lib/core/comparison";
import { NotFoundError, StoreError } from "@/lib/core/domain/app-error";
import type { ListedGroup } from "@/lib/core/fields/jobs.fields";
import { prepareOpenApi } from "@/lib/output/api";
import { JOB_TABLE, makeTrialTable } from "@/lib/output/export";
import { compareAddress } from "@/lib/pages/compare/address";
import { jobAddress } from "@/lib/pages/job/job-address";
import { jobsAddress, parseJobsParams, readJobsRequest } from "@/lib/pages/jobs/address";
import { readTrialsRequest } from "@/lib/pages/trials/address";
import { type IndexStore, type JobHead, listJobIds, readHead } from "@/lib/store/tables";
import manifest from "@/package.json";

import { readComparison } from "../compare/files";
import { toCompared } from "../compare/report";
import { addFailures, getTrialsPage } from "../job/trials";
import { readLabel, toListed } from "../job/trials-download";
import { readJobRows } from "../jobs/download";
import { prepareJobsQuery } from "../jobs/page";
import { nameSetsOfRuns } from "../run-sets/saved";
import { getIndex, getStoreOfJob } from "../shell/catalog";
import { answerApi } from "./answer";
import { readPageRequest, refuseNames } from "./pages";

export function serveOpenApi(request: Request): Promise<Response> {
  return answerApi(request, () => prepareOpenApi(manifest.version));
}

export function serveJobList(request: Request): Promise<Response> {
  return answerApi(request, async () => {
    const { store, status } = await getIndex();
    return listJobs(store, request.url, status().generation);
  });
}

/** @throws as {@link readPageRequest} */
export async function listJobs(store: IndexStore, url: string, generation: number): Promise<object> {
  const { range, nextCursor } = readPageRequest(
    url,
    generation,
    without(jobsAddress.names, "page", "columns"),
  );
  const filter = readJobsRequest(url);
  const { selection, sort } = prepareJobsQuery(filter);
  const ids = await listJobIds(store, selection, sort);
  const own = ids.slice(range.from, range.from + range.limit);
  const jobs = await prepareJobs(readJobRows(store, own, filter));
  return { schema: JOB_TABLE.schema, jobs, next_cursor: nextCursor(own.length, ids.length) };
}

export function serveJob(request: Request, params: Promise<{ readonly job: string }>): Promise<Response> {
  return answerApi(request, async () => {
    refuseNames(new URL(request.url).searchParams, []);
    const key = (await params).job;
    const store = await getStoreOfJob(key);
    const { rowId } = await requireJob(store, key);
    return {
      schema: JOB_TABLE.schema,
      jobs: await prepareJobs(readJobRows(store, [rowId], parseJobsParams({}))),
    };
  });
}

export function serveTrialList(
  request: Request,
  params: Promise<{ readonly job: string }>,
): Promise<Response> {
  return answerApi(request, async () => {
    const key = (await params).job;
    return listTrialsOf(await getStoreOfJob(key), key, request.url);
  });
}

/** @throws as {@link readPageRequest}; NotFoundError; StoreError until the trials are read */
export async function listTrialsOf(store: IndexStore, jobKey: string, url: string): Promise<object> {
  const job = await requireJob(store, jobKey);
  if (!job.isRead)
    throw new StoreError(
      "store_unavailable",
      "The trials of this job are not read yet. Try again in a moment.",
    );
  const { range, nextCursor } = readPageRequest(url, job.version, without(jobAddress.names, "page", "tab"));
  const page = await getTrialsPage(store, job, readTrialsRequest(url), range);
  // Elsewhere a page past the end shows the last one.
  const rows = await addFailures(store, range.from < page.nMatching ? page.rows : []);
  const table = makeTrialTable([]);
  const at = { job, root: await readLabel(store, job), setsOf: await nameSetsOfRuns(store) };
  return {
    schema: table.schema,
    trials: rows.map((row) => table.prepareJson(toListed(at, row))),
    n_trials: page.nMatching,
    next_cursor: nextCursor(rows.length, page.nMatching),
  };
}

/** Takes the parameters of the compare page. */
export function serveComparison(request: Request): Promise<Response> {
  return answerApi(request, async () => {
    refuseNames(new URL(request.url).searchParams, compareAddress.names);
    const { comparison, filter } = await readComparison(request.url);
    return prepareCompareJson(toCompared(comparison, filter));
  });
}

async function requireJob(store: IndexStore, key: string): Promise<JobHead> {
  const job = await readHead(store, key);
  if (job === null)
    throw new NotFoundError("No such job is open. /api/v1/jobs lists the keys of those that are.");
  return job;
}

async function prepareJobs(rows: AsyncIterable<ListedGroup>): Promise<readonly object[]> {
  const jobs: object[] = [];
  for await (const row of rows) jobs.push(JOB_TABLE.prepareJson(row));
  return jobs;
}

function without(names: readonly string[], ...left: readonly string[]): readonly string[] {
  return names.filter((name) => !left.includes(name));
}
