import "server-only";
import {
  type DeterminismCounts,
  type IndexStore,
  type JobHead,
  readDeterminism,
  readDisagreements,
  readJobsWithoutDerivedDetails,
  readSuspectTallies,
} from "@/lib/store/tables";

import { getCached, getIndexOfJob } from "../shell/catalog";
import { getDerivedDetailsState } from "../shell/derived-details-state";

export interface VerifierDoubts {
  readonly nSuspects: number;
  /** Trials whose output got a different reward in another trial. */
  readonly nNondeterministic: number;
}

export async function getVerifierDoubts(job: JobHead): Promise<VerifierDoubts | null> {
  if ((await getDerivedDetailsState(job)) === "reading") return null;
  const [nSuspects, { nDisagreeing: nNondeterministic }] = await Promise.all([
    getCached(
      `suspects ${job.rowId} ${job.version}`,
      async (store) =>
        (await readSuspectTallies(store, job.rowId)).reduce((sum, { nTrials }) => sum + nTrials, 0),
      getIndexOfJob(job.key),
    ),
    getDeterminismCounts(job),
  ]);
  return { nSuspects, nNondeterministic };
}

function getDeterminismCounts({ rowId: id, version, key }: JobHead): Promise<DeterminismCounts> {
  return getCached(`determinism ${id} ${version}`, (store) => readDeterminism(store, id), getIndexOfJob(key));
}

const MOST_GROUPS = 50;

export type DeterminismPanel = Awaited<ReturnType<typeof getDeterminism>>;

/** Compares trials of the same task and output, also of other jobs. Disagreements with most trials come first. */
export async function getDeterminism(store: IndexStore, job: JobHead) {
  const state = await getDerivedDetailsState(job);
  const [{ nKnown, uncompared, ...counts }, groups, unread] = await Promise.all([
    getDeterminismCounts(job),
    readDisagreements(store, job.rowId, MOST_GROUPS),
    readJobsWithoutDerivedDetails(store),
  ]);
  const nSilent = job.nTrials - nKnown;
  const reasons = new Map(uncompared);
  if (nSilent > 0) reasons.set("no_output", (reasons.get("no_output") ?? 0) + nSilent);
  return {
    ...counts,
    state,
    uncompared: [...reasons]
      .map(([reason, nTrials]) => ({ reason, nTrials }))
      .toSorted((a, b) => b.nTrials - a.nTrials),
    groups,
    nJobsToRead: [...unread.keys()].filter((id) => id !== job.rowId).length,
  };
}
