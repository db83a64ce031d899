import "server-only";
import { describeSensitivity, type SensitivityLine } from "@/lib/core/comparison";
import { computeSensitivity } from "@/lib/core/stats";
import type { IndexStore, JobHead } from "@/lib/store/tables";

import { createCache } from "../shell/cache";
import { listScoredTrials, readScoredTallies } from "./tallies";

const MOST_JOBS = 20;

export type GroupSensitivity = Awaited<ReturnType<typeof readJobSensitivity>>[number];

const keep = createCache<readonly { readonly groupKey: string; readonly line: SensitivityLine }[]>(MOST_JOBS);

/** Returns groups whose score some reading changes, cached for the job's version. */
export async function readJobSensitivity(
  store: IndexStore,
  job: Pick<JobHead, "rowId" | "version" | "groups">,
) {
  return keep(`${job.rowId} ${job.version}`, async () => {
    const tallies = await readScoredTallies(store, { first: job.rowId, last: job.rowId });
    const byGroup = Map.groupBy(tallies, ({ groupKey }) => groupKey);
    return job.groups.flatMap(({ group: { key }, interval }) => {
      if (interval.kind === "unavailable") return [];
      const trials = listScoredTrials(byGroup.get(key) ?? []);
      const line = describeSensitivity(computeSensitivity(trials, interval));
      return line === null ? [] : [{ groupKey: key, line }];
    });
  });
}
