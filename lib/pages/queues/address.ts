import type { Route } from "next";

import { type AddressValues, createAddress } from "../address/address";
import { names, pageNumber, someOf, text } from "../address/values";
import { queueHref, QUEUES_HREF } from "../annotations/review-address";

export const QUEUE_STANDINGS = ["conflict", "todo", "waiting", "done", "skipped"] as const;

/**
 * State of a queue's trial for the current reviewer, in page order. `conflict`: reviewers differ, without a decision. `todo`: this
 * reviewer may review it. `waiting`: for a second review by another reviewer. `done`: agreed, decided or left open on purpose.
 * `skipped`: this reviewer put it off.
 */
export type QueueStanding = (typeof QUEUE_STANDINGS)[number];

export const queueAddress = createAddress(
  { text, standings: someOf(QUEUE_STANDINGS), reviewers: names, categories: names, page: pageNumber },
  { text: "q", standings: "state", reviewers: "reviewer", categories: "category" },
);

export type QueueParams = AddressValues<typeof queueAddress>;

export function queuePageHref(
  queueId: string,
  params: Partial<QueueParams>,
  change: Partial<QueueParams> = {},
): Route {
  return queueAddress.href(queueHref(queueId), { ...params, page: 1, ...change });
}

export const queuesAddress = createAddress({ page: pageNumber });

export function queuesHref(page: number): Route {
  return queuesAddress.href(QUEUES_HREF, { page });
}
