import "server-only";
import {
  fingerprintJobs,
  type IndexStore,
  readIndexState,
  readJobStates,
  readUnclassifiedJobs,
} from "@/lib/store/tables";

import { createGenerationCache } from "./cache";

export interface JobsState {
  readonly store: IndexStore;
  /** Over all jobs, for `createGenerationCache`. */
  readonly generation: string;
  readonly jobs: ReadonlyMap<number, string>;
  readonly unclassified: ReadonlyMap<number, number>;
}

const keep = createGenerationCache(1);

/** Read once per generation. Texts and scans do not change it. */
export async function readJobsState(store: IndexStore): Promise<JobsState> {
  const { generation } = await readIndexState(store);
  return keep({ store, generation }, "jobs", async () => {
    const [jobs, unclassified] = await Promise.all([readJobStates(store), readUnclassifiedJobs(store)]);
    return { store, generation: fingerprintJobs(jobs), jobs, unclassified };
  });
}
