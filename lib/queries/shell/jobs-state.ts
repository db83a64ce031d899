import "server-only";

import { type IndexStore, readIndexState, readJobsFingerprint } from "@/lib/store";

import { createGenerationCache } from "./cache";

const keep = createGenerationCache(1);

/** What `createGenerationCache` keeps values by that are made of jobs, their trials and why these did not pass, see `readJobsFingerprint`. */
export async function readJobsState(
  store: IndexStore,
): Promise<{ readonly store: IndexStore; readonly generation: string }> {
  const { generation } = await readIndexState(store);
  const fingerprint = await keep({ store, generation }, "jobs", () => readJobsFingerprint(store));
  return { store, generation: fingerprint };
}
