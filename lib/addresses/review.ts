import type { Route } from "next";

import { type AddressValues, createAddress } from "./address";
import { buildHref, encodeSegment } from "./href";
import { name, names, wholeFrom } from "./values";

/** The judgments that a page of agreement or of the verifier is about: of one queue, of some jobs, or all of them. */
const scope = {
  /** Id of a queue; null for none. */
  queue: name,
  /** Keys of jobs; empty for all. */
  jobs: names,
};

export const conflictsAddress = createAddress(
  {
    ...scope,
    /** The conflict that is open, by its place in the list from 1; null for the first that is to be decided, else the first that others decide. */
    open: wholeFrom(1),
  },
  { jobs: "job" },
);

export type ConflictsParams = AddressValues<typeof conflictsAddress>;

export function conflictsHref(params: Partial<ConflictsParams>): Route {
  return conflictsAddress.href("/annotations/conflicts", params);
}

export const verifierAddress = createAddress(
  { ...scope, agents: names, families: names },
  { jobs: "job", agents: "agent", families: "family" },
);

export type VerifierParams = AddressValues<typeof verifierAddress>;

export function verifierHref(params: Partial<VerifierParams>): Route {
  return verifierAddress.href("/annotations/verifier", params);
}

export const QUEUES_HREF = "/annotations/queues" as Route;

export const CODEBOOK_HREF = "/annotations/codebook" as Route;

export function queueHref(queueId: string): Route {
  return buildHref(`/annotations/queues/${encodeSegment(queueId)}`);
}

/** The address of a trial of a queue, which names nothing of the trial. @param position - from 0; the address counts from 1 */
export function queueItemHref(queueId: string, position: number): Route {
  return buildHref(`/annotations/queues/${encodeSegment(queueId)}/items/${position + 1}`);
}

export function queueExportHref(queueId: string): Route {
  return buildHref("/annotations/export", { queue: queueId });
}

/** The address of the form that makes a queue, without what it is made from. */
export const NEW_QUEUE_HREF = "/annotations/queues/new" as Route;

export const newQueueAddress = createAddress(
  {
    /** Key of the job whose list it is; null for the list of all jobs. */
    job: name,
    /** The list as its own address has it, see `writeTrialsQuery`; null for all trials of the job, or of all jobs. */
    list: name,
    /** Trials that were selected, as `job/trial` with both keys encoded; empty for the whole list. */
    picks: names,
    /** Version ids of judgments whose trials are taken; empty for none. */
    judgments: names,
    /** The list of judgments whose trials are taken, as its own address has it without the question mark; null for none. */
    judged: name,
  },
  { picks: "pick", judgments: "judgment" },
);

export type NewQueueParams = AddressValues<typeof newQueueAddress>;

/** The address of the form that makes a queue of a list, or of some trials of it. */
export function newQueueHref(params: Partial<NewQueueParams>): Route {
  return newQueueAddress.href(NEW_QUEUE_HREF, params);
}

/** Names a selected trial in the address of the form that makes a queue. */
export function writePick(jobKey: string, trialKey: string): string {
  return `${encodeSegment(jobKey)}/${encodeSegment(trialKey)}`;
}
