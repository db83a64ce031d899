import { join } from "node:path";

import { LRUCache } from "lru-cache";

import { oncePer } from "@/lib/core/domain/once-per";
import { describePath } from "@/lib/read/buckets";
import type { LoadRoot } from "@/lib/read/loader";
import {
  type IndexStore,
  type SeenRoot,
  findHiddenNames,
  openLimitedStore,
  readIndexState,
  readMemberJobs,
  readShownClusters,
  readTrialPlaces,
} from "@/lib/store/tables";
import { type Shown, type Visibility, registerShown } from "@/lib/store/visibility";

import { type OpenIndex, openIndex } from "./open-index";
import { type IndexStatus, NO_STATUS } from "./progress";

/** Twice the number of roles, each with and without copies: for the current folder settings and the previous ones. */
const MOST_VISIBILITIES = 16;
/** Requests on a discarded index are done by then. */
const CLOSE_AFTER_MS = 60_000;

const limitedOf: (index: OpenIndex) => LRUCache<string, Promise<OpenIndex>> = oncePer(
  () =>
    new LRUCache({
      max: MOST_VISIBILITIES,
      dispose: (gone) => setTimeout(() => void gone.then(({ close }) => close()), CLOSE_AFTER_MS).unref(),
    }),
);

/**
 * Returns the index as the current user sees it; the same index if everything is visible. Equal visibility gives the same object,
 * so that caches keyed by the store work.
 *
 * @param isWithoutCopies - true to include each job and trial once that is open several times
 */
export async function limitIndex(index: OpenIndex, visibility: Visibility, isWithoutCopies = false) {
  const seen = listSeen(index.roots, visibility);
  if (seen === null && !isWithoutCopies) return index;
  const own = limitedOf(index);
  const name = JSON.stringify([seen, isWithoutCopies]);
  const known = own.get(name);
  if (known !== undefined) return known;
  const opening = openLimitedStore(index.store, { seen, isWithoutCopies }).then((store) =>
    seen === null ? { ...index, store, close: store.close } : makeIndex(index, store, seen),
  );
  own.set(name, opening);
  try {
    return await opening;
  } catch (error) {
    own.delete(name);
    throw error;
  }
}

function listSeen(roots: readonly LoadRoot[], { hidden }: Visibility): readonly SeenRoot[] | null {
  const addresses = roots.map(({ path }) => describePath(path));
  const seen = addresses.flatMap((address, position): SeenRoot | [] => {
    if (hidden.includes(address)) return [];
    const below = address.endsWith("/") ? address : `${address}/`;
    const except = hidden.flatMap((other) => (other.startsWith(below) ? other.slice(below.length) : []));
    return { position, except };
  });
  const isAll = seen.length === roots.length && seen.every(({ except }) => except.length === 0);
  return isAll ? null : seen;
}

function makeIndex(index: OpenIndex, store: IndexStore, seen: readonly SeenRoot[]): OpenIndex {
  const positions = new Set(seen.map(({ position }) => position));
  return {
    ...index,
    store,
    roots: index.roots.filter((_, position) => positions.has(position)),
    status: () => limitStatus(index.status()),
    subscribe: (listener) => index.subscribe((status) => listener(limitStatus(status))),
    close: store.close,
  };
}

/** Hides failures, which may name a hidden folder, and progress, which counts all folders. */
export function limitStatus({
  phase,
  generation,
  isComplete,
  scannedAtMs,
  failure,
}: IndexStatus): IndexStatus {
  const said = failure === null ? null : "The index is not being updated. Ask your administrator.";
  return { ...NO_STATUS, phase, generation, isComplete, scannedAtMs, failure: said };
}

function describeShown(open: () => Promise<OpenIndex>, visibility: Visibility): Shown {
  const read = async () => (await limitIndex(await open(), visibility)).store;
  return {
    version: async () => (await readIndexState(await read())).generation,
    findTrials: async (names) =>
      (await readTrialPlaces(await read(), names)).map(({ id, jobUuid, trialName, jobName }) => ({
        trialId: id,
        jobUuid,
        trialName,
        jobName,
      })),
    findJobs: async (uuids, keys) => readMemberJobs(await read(), uuids, keys),
    findClusters: async (keys) => readShownClusters(await read(), keys),
    findHiddenNames: async (texts) => findHiddenNames((await open()).store, await read(), texts),
  };
}

declare global {
  /** One index per process, shared by the server, hot reloads and parallel requests. */
  var assayIndex: Promise<OpenIndex> | undefined;
}

/**
 * Returns the index of the folders given to this process, opened once. Reads `ASSAY_ROOTS` (JSON list of folders),
 * `ASSAY_SUMMATION`, `ASSAY_PROGRAMS` (folder of the bundled programs), and the location (`ASSAY_DATA`, `XDG_DATA_HOME`,
 * `DATABASE_URL`).
 */
export function getSharedIndex(): Promise<OpenIndex> {
  registerShown((visibility) => describeShown(getSharedIndex, visibility));
  globalThis.assayIndex ??= openFromEnvironment().catch((error: unknown) => {
    globalThis.assayIndex = undefined;
    throw error;
  });
  return globalThis.assayIndex;
}

export async function closeSharedIndex(): Promise<void> {
  const index = await globalThis.assayIndex;
  await index?.close();
}

async function openFromEnvironment(): Promise<OpenIndex> {
  const environment = process.env;
  const programs = environment["ASSAY_PROGRAMS"];
  return openIndex({
    roots: JSON.parse(environment["ASSAY_ROOTS"] ?? "[]") as readonly string[], // Our own server wrote it.
    summation: environment["ASSAY_SUMMATION"] === "sequential" ? "sequential" : "cpython-3.12",
    environment,
    script: programs && join(programs, "indexing.js"),
    isPatient: true,
  });
}
