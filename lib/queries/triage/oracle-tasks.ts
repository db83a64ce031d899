import "server-only";

import { type FailedTrial, type IndexStore, readDatasetTrials, type RowPlace } from "@/lib/store";

import { listDatasets } from "../datasets/list";
import { findReference, findVersion, isOfVersion, listCounted } from "../tasks/counted";
import { listReferenceRuns } from "../tasks/problems";

/** A task of which the reference solution did not always pass, as its dataset's task health says: over all opened jobs. */
export interface OracleTask {
  /** Its names in {@link TriageBase}: of a dataset without a name one in each job. */
  readonly tasks: ReadonlySet<string>;
  readonly taskName: string;
  /** Id of its dataset, see `DatasetName`. */
  readonly dataset: string;
  /** The digest of the task that counts; null where no attempt states one. */
  readonly version: string | null;
  /** Whether there are attempts at other versions, of which the oracle says nothing. */
  readonly hasOtherVersions: boolean;
  /** Attempts of the oracle that came to a verdict, and those of them that did not pass. */
  readonly nOracle: number;
  readonly nOracleFailed: number;
  /** The first of these. */
  readonly place: RowPlace;
  /** Ended attempts of agents, and those of them that passed. */
  readonly nTried: number;
  readonly nPassed: number;
}

/** Trials that are read of one dataset. */
const MAX_TRIALS = 200_000;

/**
 * The tasks that the oracle failed, by dataset. Reads all attempts at them and at no other task.
 *
 * @param failed - trials that did not pass, of any agent
 * @param nameTask - what a task of a trial is called in triage
 */
export async function readOracleTasks(
  store: IndexStore,
  failed: readonly Pick<FailedTrial, "agent" | "jobRowId" | "groupKey" | "taskName">[],
  nameTask: (
    trial: Pick<FailedTrial, "jobRowId" | "taskName"> & { readonly source: string | null },
  ) => string,
): Promise<readonly OracleTask[]> {
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
      return [...Map.groupBy(trials, ({ taskName }) => taskName)].flatMap(([taskName, all]): OracleTask[] => {
        const version = findVersion(all);
        const own = all.filter((trial) => isOfVersion(trial, version));
        const runs = listReferenceRuns(own, "oracle");
        const [first, ...more] = runs.filter(({ outcome }) => outcome !== "passed");
        if (first === undefined) return [];
        const counted = listCounted({ trials: own, version });
        const named = all.map(({ jobRowId, groupKey }) =>
          nameTask({ jobRowId, taskName, source: sources.get(`${jobRowId} ${groupKey}`) ?? null }),
        );
        return [
          {
            tasks: new Set(named),
            taskName,
            dataset,
            version,
            hasOtherVersions: own.length < all.length,
            nOracle: runs.length,
            nOracleFailed: more.length + 1,
            place: { jobRowId: first.jobRowId, position: first.position },
            nTried: counted.length,
            nPassed: counted.filter(({ outcome }) => outcome === "passed").length,
          },
        ];
      });
    }),
  );
  return found.flat();
}
