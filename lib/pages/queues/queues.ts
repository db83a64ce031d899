import "server-only";
import { StoreError, unlessUnreadable } from "@/lib/core/domain/app-error";
import { rangeOfPage, takePage } from "@/lib/core/domain/list-page";
import {
  type AnnotationStore,
  createDecisionFinder,
  type FindDecision,
  getAnnotationStore,
  isForReviewer,
  listDecisions,
  listQueues,
  readAnnotationsVersion,
  readQueue,
} from "@/lib/people/annotations";
import { listQueueTrials } from "@/lib/people/labels/draws";

import { getReviewer } from "../annotations/reviewer";
import { createGenerationCache } from "../shell/cache";
import { countQueue } from "./queue";

export type QueueLine = Awaited<ReturnType<typeof readQueuesPage>>["rows"][number];

/** Counting reads each queue in full, once per change. */
const QUEUES_PER_PAGE = 20;

export async function getQueuesPage(page: number) {
  const { reviewerKey } = await getReviewer();
  try {
    return { ...(await readQueuesPage(getAnnotationStore(), page, reviewerKey)), problem: null };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ...takePage([], rangeOfPage(1, QUEUES_PER_PAGE)), unreadable: [], problem: error.message };
  }
}

const keep = createGenerationCache(200);

export async function readQueuesPage(store: AnnotationStore, page: number, reviewerKey: string) {
  const [version, { queues, unreadable }] = await Promise.all([
    readAnnotationsVersion(store),
    listQueues(store),
  ]);
  const { rows, ...place } = takePage(queues, rangeOfPage(page, QUEUES_PER_PAGE));
  const at = { store, generation: version ?? 0 };
  const findDecision = await keep(at, "", async () => createDecisionFinder(await listDecisions(store)));
  const lines = [];
  for (const head of rows) {
    const counted = await keep(at, head.queueId, () => countOne(store, head.queueId, findDecision));
    if (counted === null) continue;
    const isTheirs = isForReviewer(head.settings, reviewerKey);
    const nLeft = counted.wanted.filter((keys) => !keys.includes(reviewerKey)).length;
    lines.push({
      ...head,
      nUnreadable: counted.nUnreadable,
      counts: counted.counts,
      // Null without a name, and if the queue names other reviewers.
      nLeft: reviewerKey !== "" && isTheirs ? nLeft : null,
    });
  }
  return { rows: lines, ...place, unreadable: page === 1 ? unreadable : [] };
}

async function countOne(store: AnnotationStore, queueId: string, findDecision: FindDecision) {
  const queue = await readQueue(store, queueId);
  if (queue === null) return null;
  const trials = listQueueTrials(queue, new Map(), findDecision);
  const wanted = trials
    .filter(({ labels, nReviewers }) => labels.length < nReviewers)
    .map(({ labels }) => labels.map(({ reviewerKey }) => reviewerKey));
  return { counts: countQueue(trials), wanted, nUnreadable: queue.unreadable.length };
}

export function countQueues(): Promise<number | null> {
  return unlessUnreadable(async () => (await listQueues(getAnnotationStore())).queues.length, null);
}
