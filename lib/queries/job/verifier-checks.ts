import "server-only";

import type { UncomparedReason } from "@/lib/domain/verifier-check";
import {
  type DeterminismCounts,
  type Disagreement,
  type IndexStore,
  type JobHead,
  readDeterminism,
  readDisagreements,
  readJobsWithoutDerivedDetails,
  readSuspects,
  readSuspectTallies,
  type SuspectTrial,
} from "@/lib/store";

import { getCached } from "../shell/catalog";
import { type DerivedDetailsState, getDerivedDetailsState } from "../shell/derived-details-state";

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
    getCached(`suspects ${job.rowId} ${job.version}`, async (store) =>
      (await readSuspectTallies(store, job.rowId)).reduce((sum, { nTrials }) => sum + nTrials, 0),
    ),
    getDeterminismCounts(job),
  ]);
  return { nSuspects, nNondeterministic };
}

function getDeterminismCounts({ rowId: id, version }: JobHead): Promise<DeterminismCounts> {
  return getCached(`determinism ${id} ${version}`, (store) => readDeterminism(store, id));
}

/** Disagreeing outputs listed of a job. */
const MOST_GROUPS = 50;

/** Whether a job's verifiers give the same reward for the same output. */
export interface DeterminismPanel extends Omit<DeterminismCounts, "nKnown" | "uncompared"> {
  readonly state: DerivedDetailsState;
  /** Trials of the job that are not compared and why, the most frequent reason first. */
  readonly uncompared: readonly { readonly reason: UncomparedReason; readonly nTrials: number }[];
  /** The first disagreements, most trials first. */
  readonly groups: readonly Disagreement[];
  /** Other jobs whose outputs are not read yet, so that nothing was compared with them. */
  readonly nJobsToRead: number;
}

/** The trials of a job compared with all trials of the same task that put out the same. */
export async function getDeterminism(store: IndexStore, job: JobHead): Promise<DeterminismPanel> {
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
export interface SuspectsPanel {
  readonly state: DerivedDetailsState;
  readonly nTrials: number;
  /** The first of them, by task and attempt. */
  readonly rows: readonly SuspectTrial[];
}

/** The suspects of a job, as of the last complete reading of its trials' files. */
export async function getSuspects(store: IndexStore, job: JobHead): Promise<SuspectsPanel> {
  const [state, tallies, rows] = await Promise.all([
    getDerivedDetailsState(job),
    readSuspectTallies(store, job.rowId),
    readSuspects(store, job.rowId, MOST_SUSPECTS),
  ]);
  return { state, nTrials: tallies.reduce((sum, { nTrials }) => sum + nTrials, 0), rows };
}
