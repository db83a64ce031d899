import { join } from "node:path";

import { ReadingError } from "@/lib/core/domain/app-error";
import { bringFiles } from "@/lib/read/buckets";
import { ProcessPool } from "@/lib/read/processes/process-pool";

import {
  carryOut,
  type ReaderInput,
  type ReaderName,
  type ReaderOutput,
  type ReadingRequest,
} from "./readers";

declare global {
  /** One pool per process, shared by hot reloads and parallel requests. */
  var assayReaders: ProcessPool<ReadingRequest, unknown> | undefined;
  var assayPatternSearch: Promise<unknown> | undefined;
}

/** Most trials take a tenth of the memory. A process that takes more ends after its answer. */
const LIMITS = { memoryMb: 192, largeMemoryMb: 1_024, fileMs: 20_000, requestMs: 30_000 };
/** These read files of jobs, which are fetched with results. */
const OF_JOBS: ReadonlySet<ReaderName> = new Set(["file", "job-hashes"]);
/** Two, so that one slow file does not block all other requests. */
const N_USUAL = 2;
const N_MOST = 4;
/** A process starts in 0.2 s. */
const IDLE_MS = 120_000;
/** A page makes several requests for one trial. */
const LARGE_IDLE_MS = 2_000;

/**
 * Runs a reader in another process, so that no file takes the memory or time of the page process. Without `ASSAY_PROGRAMS`, the
 * folder of the bundled programs, it runs in this process, for tests.
 * @param affinity - such as the path of a trial: the same process reads it again
 * @throws ReadingError when the process ended, or its answer is too large for a page
 */
export async function readApart<Name extends ReaderName>(
  reader: Name,
  affinity: string,
  ...input: ReaderInput<Name>
): Promise<ReaderOutput<Name>> {
  if (!OF_JOBS.has(reader)) await Promise.all(listPlaces(affinity, input).map(bringFiles));
  const request: ReadingRequest = { reader, input };
  const programs = process.env["ASSAY_PROGRAMS"];
  if (programs === undefined) return (await carryOut(request)) as ReaderOutput<Name>; // The reader's own type.
  globalThis.assayReaders ??= new ProcessPool({
    script: join(programs, "trial-reading.js"),
    ...LIMITS,
    nUsual: N_USUAL,
    nMost: N_MOST,
    idleMs: IDLE_MS,
    largeIdleMs: LARGE_IDLE_MS,
  });
  const pool = globalThis.assayReaders;
  try {
    const answer = input.some(hasPattern)
      ? queueSearch(() => pool.run({ request, affinity: `pattern ${affinity}` }))
      : pool.run({ request, affinity });
    return (await answer) as ReaderOutput<Name>; // As above.
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ReadingError(`Reading its files failed: ${reason}. The files themselves can be opened.`, {
      cause: error,
    });
  }
}

/** A pattern search may take the whole time limit. */
function hasPattern(input: unknown): boolean {
  if (typeof input !== "object" || input === null) return false;
  if ("isPattern" in input) return input.isPattern === true;
  return "find" in input && hasPattern(input.find);
}

/** Runs pattern searches one at a time, so that they never take more than one process. */
function queueSearch<T>(search: () => Promise<T>): Promise<T> {
  const own = (globalThis.assayPatternSearch ?? Promise.resolve()).then(search);
  globalThis.assayPatternSearch = own.catch(() => undefined);
  return own;
}

function listPlaces(affinity: string, input: readonly unknown[]): readonly string[] {
  const paths = input.flatMap((one) =>
    typeof one === "object" && one !== null && "path" in one && "root" in one && typeof one.path === "string"
      ? [one.path]
      : [],
  );
  return [...new Set([affinity, ...paths])];
}

export async function closeReaders(): Promise<void> {
  await globalThis.assayReaders?.close();
  globalThis.assayReaders = undefined;
  globalThis.assayPatternSearch = undefined;
}

export async function unlessReadingFails<T>(
  reading: Promise<T>,
  fallback: (error: ReadingError) => T | Promise<T>,
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ReadingError) return await fallback(error);
    throw error;
  }
}
