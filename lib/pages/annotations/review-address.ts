import type { Route } from "next";

import { encodeSegment } from "@/lib/core/domain/segment";

import { type AddressValues, createAddress } from "../address/address";
import { buildHref } from "../address/href";
import { name, names, wholeFrom } from "../address/values";

const scope = { queue: name, jobs: names };

export const conflictsAddress = createAddress(
  {
    ...scope,
    /** Place of the open conflict, from 1; null for the first to decide, else the first that others decide. */
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

/** Reveals nothing of the trial. @param position - from 0; the address counts from 1 */
export function queueItemHref(queueId: string, position: number): Route {
  return buildHref(`/annotations/queues/${encodeSegment(queueId)}/items/${position + 1}`);
}

export function queueExportHref(queueId: string): Route {
  return buildHref("/annotations/export", { queue: queueId });
}

export const NEW_QUEUE_HREF = "/annotations/queues/new" as Route;

export const newQueueAddress = createAddress(
  {
    job: name,
    list: name,
    /** As `job/trial` with both keys encoded; empty for the whole list. */
    picks: names,
    judgments: names,
    judged: name,
  },
  { picks: "pick", judgments: "judgment" },
);

export type NewQueueParams = AddressValues<typeof newQueueAddress>;

export function newQueueHref(params: Partial<NewQueueParams>): Route {
  return newQueueAddress.href(NEW_QUEUE_HREF, params);
}

export function writePick(jobKey: string, trialKey: string): string {
  return `${encodeSegment(jobKey)}/${encodeSegment(trialKey)}`;
}
