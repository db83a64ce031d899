import "server-only";
import { connection } from "next/server";
import { cache } from "react";

import { assignIdentities, nameAgentModel } from "@/lib/core/charts/identity";
import { waitFor } from "@/lib/core/domain/wait-for";
import { getSharedIndex, limitIndex, type OpenIndex } from "@/lib/store/indexer";
import { type IndexStore, readAgentModels, readHasCopies, readIsCounted } from "@/lib/store/tables";
import { getVisibility } from "@/lib/store/visibility";

import { createGenerationCache } from "./cache";

/** A page waits this long for changes on disk. Small folders are always current; large ones follow by events. */
const PATIENCE_MS = 250;
/** The first page waits longer, because before the first scan there may be nothing to show. */
const FIRST_PATIENCE_MS = 1500;
/** Added for the first list of jobs. The server reports its address only after the first page, so this wait is bounded. */
const LISTING_PATIENCE_MS = 2000;

/** Returns the index as this account may see it, without hidden folders or second copies. @throws StoreError */
export const getIndex = cache(async (): Promise<OpenIndex> => {
  const whole = await getWholeIndex();
  const { store, status } = whole;
  const hasCopies = await keep({ store, generation: status().generation }, "copies", () =>
    readHasCopies(store),
  );
  return hasCopies ? limitIndex(await getSharedIndex(), getVisibility(), true) : whole;
});

/** For pages of one job or its trials. Includes all copies if the job or some of its trials are not counted. */
export const getIndexOfJob = cache(async (jobKey: string): Promise<OpenIndex> => {
  const counted = await getIndex();
  return (await readIsCounted(counted.store, jobKey)) ? counted : getWholeIndex();
});

/** Includes all copies. */
const getWholeIndex = cache(async (): Promise<OpenIndex> => {
  await connection();
  const index = await getSharedIndex();
  const { generation, isComplete } = index.status();
  const isFirst = !isComplete && generation === 0;
  const scan = index.scanIfDue();
  if (isFirst) await waitFor(scan, FIRST_PATIENCE_MS);
  else if (!slowScans.has(index)) await waitInTurn(index, scan);
  // A new index has no jobs to list, so a longer wait is worth it.
  if (index.status().generation === 0) await waitFor(waitForGeneration(index), LISTING_PATIENCE_MS);
  return limitIndex(index, getVisibility());
});

const slowScans = new WeakSet<OpenIndex>();

/** One page waits for a long scan until its timeout. Later pages do not wait until that scan ends. */
async function waitInTurn(index: OpenIndex, scan: Promise<void>): Promise<void> {
  if (await waitFor(scan, PATIENCE_MS)) return;
  slowScans.add(index);
  const forget = () => void slowScans.delete(index);
  scan.then(forget, forget);
}

export const getStore = cache(async (): Promise<IndexStore> => (await getIndex()).store);

export const getStoreOfJob = cache(
  async (jobKey: string): Promise<IndexStore> => (await getIndexOfJob(jobKey)).store,
);

/** Includes all copies, for groups that a URL names. */
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

/** Names may contain parts of URLs, which are unbounded. */
const MOST_VALUES = 200;

const keep = createGenerationCache(MOST_VALUES);

/** `name` must include the parameters of the value. */
export async function getCached<T>(
  name: string,
  compute: (store: IndexStore) => Promise<T>,
  index = getIndex(),
): Promise<T> {
  const { store, status } = await index;
  return keep({ store, generation: status().generation }, name, () => compute(store));
}

/** Identities are 0 to 66 and the same on every page of these folders. */
export type IdentityOf = (agent: string, model: string | null) => number;

export const getIdentityOf = cache(async (): Promise<IdentityOf> => {
  const identities = await getCached("identities", async (store) =>
    assignIdentities(await readAgentModels(store)),
  );
  return (agent, model) => identities.get(nameAgentModel(agent, model)) ?? 0;
});
