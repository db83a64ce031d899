import "server-only";
import { prepareCompareJson } from "@/lib/core/comparison";
import { type API_ENDPOINTS, API_LIMITS } from "@/lib/core/domain/api-endpoints";
import {
  NotFoundError,
  StoreError,
  AppError,
  ConflictError,
  ReadingError,
  ValidationError,
} from "@/lib/core/domain/app-error";
import { withoutBasePath } from "@/lib/core/domain/base-path";
import { decodeSegment } from "@/lib/core/domain/segment";
import type { ListedGroup } from "@/lib/core/fields/jobs.fields";
import { prepareOpenApi } from "@/lib/output/api";
import { JOB_TABLE, makeTrialTable } from "@/lib/output/export";
import { wholeFrom } from "@/lib/pages/address/values";
import { compareAddress } from "@/lib/pages/compare/address";
import { toCompared } from "@/lib/pages/compare/files";
import { jobsAddress, parseJobsParams, readJobsRequest } from "@/lib/pages/jobs/address";
import { readTrialsRequest, trialsAddress } from "@/lib/pages/trials/address";
import { type IndexStore, type JobHead, listJobIds, readHead } from "@/lib/store/tables";
import manifest from "@/package.json";

import { readComparison } from "../compare/files";
import { getTrialsPage } from "../job/trials";
import { readLabel, toListed } from "../job/trials-download";
import { readJobRows } from "../jobs/download";
import { prepareJobsQuery } from "../jobs/page";
import { nameSetsOfRuns } from "../run-sets/saved";
import { getIndex, getStoreOfJob } from "../shell/catalog";

type Handler = (url: string, job: string) => Promise<object>;

const HANDLERS: Readonly<Record<keyof typeof API_ENDPOINTS | "/api/v1/openapi.json", Handler>> = {
  "/api/v1/openapi.json": () => Promise.resolve(prepareOpenApi(manifest.version)),
  "/api/v1/jobs": async (url) => {
    const { store, status } = await getIndex();
    return listJobs(store, url, status().generation);
  },
  "/api/v1/jobs/{job}": async (url, key) => {
    refuseNames(new URL(url).searchParams, []);
    const store = await getStoreOfJob(key);
    const { rowId } = await requireJob(store, key);
    const jobs = await prepareJobs(readJobRows(store, [rowId], parseJobsParams({})));
    return { schema: JOB_TABLE.schema, jobs };
  },
  "/api/v1/jobs/{job}/trials": async (url, key) => listTrialsOf(await getStoreOfJob(key), key, url),
  // Takes the parameters of the compare page.
  "/api/v1/compare": async (url) => {
    refuseNames(new URL(url).searchParams, compareAddress.names);
    const { comparison, filter } = await readComparison(url);
    return prepareCompareJson(toCompared(comparison, filter));
  },
};

const PATTERNS = Object.entries(HANDLERS).map(([path, handle]) => ({
  pattern: new RegExp(`^${path.replace(".", "\\.").replace("{job}", "([^/]+)")}$`),
  handle,
}));

export function serveApi(request: Request): Promise<Response> {
  return answerApi(request, () => {
    const path = withoutBasePath(new URL(request.url).pathname);
    for (const { pattern, handle } of PATTERNS) {
      const found = pattern.exec(path);
      // Decoded once: a `%` in a name is kept.
      if (found !== null) return handle(request.url, decodeSegment(found[1] ?? ""));
    }
    throw new NotFoundError("Unknown URL. See /api/v1/openapi.json for all URLs.");
  });
}

/** @throws as {@link readPageRequest} */
export async function listJobs(store: IndexStore, url: string, generation: number): Promise<object> {
  const { range, nextCursor } = readPageRequest(
    url,
    generation,
    without(jobsAddress.names, "page", "columns"),
  );
  const filter = readJobsRequest(url, PAGE_NAMES);
  const { selection, sort } = prepareJobsQuery(filter);
  const ids = await listJobIds(store, selection, sort);
  const own = ids.slice(range.from, range.from + range.limit);
  const jobs = await prepareJobs(readJobRows(store, own, filter));
  return { schema: JOB_TABLE.schema, jobs, next_cursor: nextCursor(own.length, ids.length) };
}

/** @throws as {@link readPageRequest}; NotFoundError; StoreError until the trials are read */
export async function listTrialsOf(store: IndexStore, jobKey: string, url: string): Promise<object> {
  const job = await requireJob(store, jobKey);
  if (!job.isRead)
    throw new StoreError(
      "store_unavailable",
      "The trials of this job have not been read yet. Try again in a moment.",
    );
  const { range, nextCursor } = readPageRequest(url, job.version, without(trialsAddress.names, "page"));
  const page = await getTrialsPage(store, job, readTrialsRequest(url, false, PAGE_NAMES), range);
  // Elsewhere a page past the end shows the last one.
  const rows = range.from < page.nMatching ? page.rows : [];
  const table = makeTrialTable([]);
  const at = { job, root: await readLabel(store, job), setsOf: await nameSetsOfRuns(store) };
  return {
    schema: table.schema,
    trials: rows.map((row) => table.prepareJson(toListed(at, row))),
    n_trials: page.nMatching,
    next_cursor: nextCursor(rows.length, page.nMatching),
  };
}

async function requireJob(store: IndexStore, key: string): Promise<JobHead> {
  const job = await readHead(store, key);
  if (job === null) throw new NotFoundError("No open job has this key. See /api/v1/jobs for all keys.");
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

const HEADERS = {
  // Clients may store an answer but must revalidate it by its ETag.
  "cache-control": "private, no-cache",
  "content-type": "application/json; charset=utf-8",
  "x-content-type-options": "nosniff",
};

/**
 * Answers an API request with JSON and an ETag, or 304 if the client has that version. Errors are JSON with a code and one
 * sentence that says what to do.
 */
export async function answerApi(
  { headers }: Pick<Request, "headers">,
  prepare: () => Promise<object> | object,
): Promise<Response> {
  try {
    const body = JSON.stringify(await prepare());
    const etag = `"${await computeTag(body)}"`;
    const isKnown = (headers.get("if-none-match") ?? "").split(",").some((one) => isSame(one.trim(), etag));
    if (isKnown) return new Response(null, { status: 304, headers: { ...HEADERS, etag } });
    return new Response(body, { headers: { ...HEADERS, etag } });
  } catch (error) {
    const status = findStatus(error);
    if (status === null || !(error instanceof Error)) throw error;
    const code = error instanceof AppError || error instanceof StoreError ? error.code : "failed";
    return new Response(JSON.stringify({ error: { code, message: error.message } }), {
      status,
      headers: { ...HEADERS, "cache-control": "no-store" },
    });
  }
}

/** A proxy that compresses makes a tag weak. */
function isSame(given: string, etag: string): boolean {
  return given === etag || given === `W/${etag}`;
}

async function computeTag(body: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  return Buffer.from(digest).toString("hex").slice(0, 32);
}

/** Null for an internal error. */
function findStatus(error: unknown): number | null {
  if (error instanceof ValidationError) return 400;
  if (error instanceof NotFoundError) return 404;
  if (error instanceof ConflictError) return 409;
  return error instanceof StoreError || error instanceof ReadingError ? 503 : null;
}

const PAGE_NAMES = ["limit", "cursor"] as const;

/**
 * Reads `limit` and `cursor`. A cursor is bound to one list in one state, so that no row is missed or repeated.
 * @param version - changes with the list
 * @param names - other parameters that the address may have
 * @throws ValidationError for an unknown name or value; ConflictError if the list changed since
 */
function readPageRequest(url: string, version: number, names: readonly string[]) {
  const { searchParams, pathname } = new URL(url);
  refuseNames(searchParams, [...names, ...PAGE_NAMES]);
  const written = searchParams.get("limit");
  const limit = written === null ? API_LIMITS.usual : wholeFrom(1).parse(written);
  if (limit === null || limit > API_LIMITS.most)
    throw new ValidationError(`limit takes a whole number from 1 to ${String(API_LIMITS.most)}.`, {});
  const cursor = searchParams.get("cursor");
  for (const name of PAGE_NAMES) searchParams.delete(name);
  const list = `${pathname}?${searchParams.toString()}`;
  const from = cursor === null ? 0 : readCursor(cursor, list, version);
  return {
    range: { from, limit },
    /** Null on the last page. @param nRows - rows of this page */
    nextCursor: (nRows: number, nMatching: number) =>
      nRows === 0 || from + nRows >= nMatching ? null : writeCursor(from + nRows, list, version),
  };
}

/** @throws ValidationError for a name outside `names`, because a misspelt filter would return every row */
function refuseNames(params: URLSearchParams, names: readonly string[]): void {
  const unknown = [...new Set(params.keys())].filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new ValidationError(
      `Unknown parameters: ${unknown.join(", ")}. Allowed: ${names.join(", ")}. See /api/v1/openapi.json.`,
      {},
    );
}

function writeCursor(from: number, list: string, version: number): string {
  return Buffer.from(JSON.stringify([from, version, list])).toString("base64url");
}

function readCursor(cursor: string, list: string, version: number): number {
  const [from, ofVersion, ofList] = parseCursor(cursor);
  if (typeof from !== "number" || !Number.isSafeInteger(from) || from < 0 || ofList !== list)
    throw new ValidationError(
      "This cursor belongs to another list. Pass next_cursor unchanged, with the same other parameters.",
      {},
    );
  if (ofVersion !== version)
    throw new ConflictError("The list changed since the first page. Start again without a cursor.", version);
  return from;
}

function parseCursor(cursor: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
