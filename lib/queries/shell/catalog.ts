import "server-only";

import { connection } from "next/server";
import { cache } from "react";

import { assignIdentities, nameAgentModel } from "@/lib/charts/identity";
import { waitFor } from "@/lib/domain/wait-for";
import { getSharedIndex, limitIndex, type OpenIndex } from "@/lib/indexer";
import { getSight } from "@/lib/sight";
import { type IndexStore, readAgentModels, readHasCopies, readIsCounted } from "@/lib/store";

import { createGenerationCache } from "./cache";

/** A page waits this long for changes on disk to be read: small folders are always current, large ones follow by events. */
const PATIENCE_MS = 250;
/** The first page waits longer, because before the first scan there may be nothing to show. */
const FIRST_PATIENCE_MS = 1500;
/** And after that for the first list of jobs. The server says where it is once a page was made, whatever the folders hold. */
const LISTING_PATIENCE_MS = 2000;

/**
 * The index of the opened folders as whoever asks sees it, brought up to date as far as that takes a moment only. Every page begins here:
 * what it gives, and the store in it, hold nothing of folders that are hidden from the role, and each job and trial once
 * that is open several times.
 *
 * @throws StoreError
 */
export const getIndex = cache(async (): Promise<OpenIndex> => {
  const whole = await getWholeIndex();
  const { store, status } = whole;
  const hasCopies = await keep({ store, generation: status().generation }, "copies", () =>
    readHasCopies(store),
  );
  return hasCopies ? limitIndex(await getSharedIndex(), getSight(), true) : whole;
});

/** The same for the pages of one job or of its trials: all copies are in it where the job or some of its trials are not counted. */
export const getIndexOfJob = cache(async (jobKey: string): Promise<OpenIndex> => {
  const counted = await getIndex();
  return (await readIsCounted(counted.store, jobKey)) ? counted : getWholeIndex();
});

/** The same with all copies. */
const getWholeIndex = cache(async (): Promise<OpenIndex> => {
  await connection();
  const index = await getSharedIndex();
  const { generation, isComplete } = index.status();
  const isFirst = !isComplete && generation === 0;
  const scan = index.scanIfDue();
  if (isFirst) await waitFor(scan, FIRST_PATIENCE_MS);
  else if (!slowScans.has(index)) await waitInTurn(index, scan);
  // An index that was never written has no jobs to list: that takes a moment longer, and is worth it.
  if (index.status().generation === 0) await waitFor(waitForGeneration(index), LISTING_PATIENCE_MS);
  return limitIndex(index, getSight());
});

/** Indexes with a scan under way that takes longer than a page waits. */
const slowScans = new WeakSet<OpenIndex>();

/** One page waits for a long scan until its timeout; later pages do not wait until that scan is over. */
async function waitInTurn(index: OpenIndex, scan: Promise<void>): Promise<void> {
  if (await waitFor(scan, PATIENCE_MS)) return;
  slowScans.add(index);
  const forget = () => void slowScans.delete(index);
  scan.then(forget, forget);
}

/** The store behind {@link getIndex}. */
export const getStore = cache(async (): Promise<IndexStore> => (await getIndex()).store);

/** The store behind {@link getIndexOfJob}. */
export const getStoreOfJob = cache(
  async (jobKey: string): Promise<IndexStore> => (await getIndexOfJob(jobKey)).store,
);

/** The store with all copies, for groups that an address names. */
export const getWholeStore = cache(async (): Promise<IndexStore> => (await getWholeIndex()).store);

function waitForGeneration(index: OpenIndex): Promise<void> {
  return new Promise((settle) => {
    const check = ({ generation, failure }: ReturnType<OpenIndex["status"]>): void => {
      if (generation === 0 && failure === null) return;
      stop();
      settle();
    };
    const stop = index.subscribe(check);
    check(index.status());
  });
}

/** Names may hold what an address asked for, and addresses are without number. */
const MOST_VALUES = 200;

const keep = createGenerationCache(MOST_VALUES);

/**
 * A value computed from the index alone, cached until its generation changes; an LRU cache of 200 names.
 *
 * @param name - tells it from other such values, its parameters included
 * @param index - that it is computed from
 */
export async function getCached<T>(
  name: string,
  compute: (store: IndexStore) => Promise<T>,
  index = getIndex(),
): Promise<T> {
  const { store, status } = await index;
  return keep({ store, generation: status().generation }, name, () => compute(store));
}

/** Identity (0 to 6) of an agent and model, the same on every page of this set of folders. */
export const getIdentityOf = cache(async (): Promise<(agent: string, model: string | null) => number> => {
  const identities = await getCached("identities", async (store) =>
    assignIdentities(await readAgentModels(store)),
  );
  return (agent, model) => identities.get(nameAgentModel(agent, model)) ?? 0;
});
