import "server-only";

import {
  fingerprintJobs,
  type IndexStore,
  readIndexState,
  readJobStates,
  readUnclassifiedJobs,
} from "@/lib/store";

import { createGenerationCache } from "./cache";

/** What is kept of all jobs, their trials and why these did not pass, goes by this. */
export interface JobsState {
  readonly store: IndexStore;
  /** Of all jobs, for `createGenerationCache`. */
  readonly generation: string;
  /** Of each job, for `createJobCache`, see `readJobStates`. */
  readonly jobs: ReadonlyMap<number, string>;
  /** Trials of jobs that are still to be classified, by job. */
  readonly unclassified: ReadonlyMap<number, number>;
}

const keep = createGenerationCache(1);

/** The state of all jobs, which texts and scans leave as it is; read once a generation. */
export async function readJobsState(store: IndexStore): Promise<JobsState> {
  const { generation } = await readIndexState(store);
  return keep({ store, generation }, "jobs", async () => {
    const [jobs, unclassified] = await Promise.all([readJobStates(store), readUnclassifiedJobs(store)]);
    return { store, generation: fingerprintJobs(jobs), jobs, unclassified };
  });
}
