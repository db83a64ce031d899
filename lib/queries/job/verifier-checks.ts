import "server-only";

import {
  type DeterminismCounts,
  type IndexStore,
  type JobHead,
  readDeterminism,
  readDisagreements,
  readJobsWithoutDerivedDetails,
  readSuspects,
  readSuspectTallies,
} from "@/lib/store";

import { getCached, getIndexOfJob } from "../shell/catalog";
import { getDerivedDetailsState } from "../shell/derived-details-state";

/** How many trials of a job speak against its verifier. */
export interface VerifierDoubts {
  /** Trials whose verifier may have crashed. */
  readonly nSuspects: number;
  /** Trials whose output got another reward in another trial. */
  readonly nNondeterministic: number;
}

/** What speaks against the verifiers of a job's tasks; null while the files that tell are being read. */
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

/** Disagreeing outputs listed of a job. */
const MOST_GROUPS = 50;

/** Whether a job's verifiers give the same reward for the same output. */
export type DeterminismPanel = Awaited<ReturnType<typeof getDeterminism>>;

/**
 * The trials of a job compared with all trials of the same task that put out the same: the first disagreements, most trials
 * first, the trials that are not compared by reason, and how many other jobs' outputs are not read yet.
 */
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

/** Suspects listed on the errors tab; the trials tab has them all. */
const MOST_SUSPECTS = 50;

/** The trials of a job whose verifier may have crashed. */
export type SuspectsPanel = Awaited<ReturnType<typeof getSuspects>>;

/** The first suspects of a job by task and attempt, and how many there are, as of the last complete reading of its trials' files. */
export async function getSuspects(store: IndexStore, job: JobHead) {
  const [state, tallies, rows] = await Promise.all([
    getDerivedDetailsState(job),
    readSuspectTallies(store, job.rowId),
    readSuspects(store, job.rowId, MOST_SUSPECTS),
  ]);
  return { state, nTrials: tallies.reduce((sum, { nTrials }) => sum + nTrials, 0), rows };
}
