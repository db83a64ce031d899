import type { Route } from "next";

import { type AddressValues, createAddress } from "./address";
import { queueHref, QUEUES_HREF } from "./review";
import { names, pageNumber, someOf, text } from "./values";

/** Where a trial of a queue stands for the reviewer who asks, in the order of the queue's page. */
export const QUEUE_STANDINGS = ["conflict", "todo", "waiting", "done", "skipped"] as const;

/**
 * `conflict`: reviewers differ and nobody decided. `todo`: this reviewer may review it. `waiting`: a second review is to come, of
 * somebody else. `done`: agreed, decided or left open on purpose. `skipped`: this reviewer put it off.
 */
export type QueueStanding = (typeof QUEUE_STANDINGS)[number];

/** The address of a queue's page. Empty lists mean no filter; with one standing alone its trials are paged. */
export const queueAddress = createAddress(
  { text, standings: someOf(QUEUE_STANDINGS), reviewers: names, categories: names, page: pageNumber },
  { text: "q", standings: "state", reviewers: "reviewer", categories: "category" },
);

export type QueueParams = AddressValues<typeof queueAddress>;

/** The address of a queue's page with some values changed; any change but of the page itself starts at the first one. */
export function queuePageHref(
  queueId: string,
  params: Partial<QueueParams>,
  change: Partial<QueueParams> = {},
): Route {
  return queueAddress.href(queueHref(queueId), { ...params, page: 1, ...change });
}

export const queuesAddress = createAddress({ page: pageNumber });

/** The address of a page of the list of queues. @param page - from 1 */
export function queuesHref(page: number): Route {
  return queuesAddress.href(QUEUES_HREF, { page });
}
