import "server-only";
import { type FailedTrial, type IndexStore, readDatasetTrials } from "@/lib/store/tables";

import { listDatasets } from "../datasets/list";
import { findReference, findVersion, isOfVersion, listCounted } from "../tasks/counted";
import { listReferenceRuns } from "../tasks/problems";

/** A task that the reference solution did not always pass, over all opened jobs. */
export type OracleTask = Awaited<ReturnType<typeof readOracleTasks>>[number];

const MAX_TRIALS = 200_000;

/** Reads all attempts at tasks that the oracle failed, and no others. */
export async function readOracleTasks(
  store: IndexStore,
  failed: readonly Pick<FailedTrial, "agent" | "jobRowId" | "groupKey" | "taskName">[],
  nameTask: (
    trial: Pick<FailedTrial, "jobRowId" | "taskName"> & { readonly source: string | null },
  ) => string,
) {
  const suspects = failed.filter(({ agent }) => findReference(agent) === "oracle");
  if (suspects.length === 0) return [];
  const datasets = await listDatasets(store);
  const found = await Promise.all(
    datasets.map(async ({ id: dataset, groups }) => {
      const sources = new Map(groups.map(({ jobRowId, key, source }) => [`${jobRowId} ${key}`, source]));
      const isOwn = ({ jobRowId, groupKey }: (typeof suspects)[number]) =>
        sources.has(`${jobRowId} ${groupKey}`);
      const tasks = [...new Set(suspects.filter(isOwn).map(({ taskName }) => taskName))];
      if (tasks.length === 0) return [];
      const { trials } = await readDatasetTrials(store, { groups, tasks }, MAX_TRIALS);
      return [...Map.groupBy(trials, ({ taskName }) => taskName)].flatMap(([taskName, all]) => {
        const version = findVersion(all);
        const own = all.filter((trial) => isOfVersion(trial, version));
        const runs = listReferenceRuns(own, "oracle");
        const [first, ...more] = runs.filter(({ outcome }) => outcome !== "passed");
        if (first === undefined) return [];
        const counted = listCounted({ trials: own, version });
        const named = all.map(({ jobRowId, groupKey }) =>
          nameTask({ jobRowId, taskName, source: sources.get(`${jobRowId} ${groupKey}`) ?? null }),
        );
        return {
          /** Names in {@link TriageBase}. A task without a named dataset has one in each job. */
          tasks: new Set(named),
          taskName,
          dataset,
          version,
          /** True if there are attempts at other versions, about which the oracle says nothing. */
          hasOtherVersions: own.length < all.length,
          /** Oracle attempts with a verdict, and those that did not pass. */
          nOracle: runs.length,
          nOracleFailed: more.length + 1,
          place: { jobRowId: first.jobRowId, position: first.position },
          /** Ended attempts of agents, and those that passed. */
          nTried: counted.length,
          nPassed: counted.filter(({ outcome }) => outcome === "passed").length,
        };
      });
    }),
  );
  return found.flat();
}
