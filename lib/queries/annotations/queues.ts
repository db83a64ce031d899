import "server-only";

import {
  type AnnotationStore,
  createDecisionFinder,
  type FindDecision,
  getAnnotationStore,
  listDecisions,
  listQueues,
  type QueueHead,
  readAnnotationsVersion,
  readQueue,
  type UnreadableQueue,
} from "@/lib/annotations";
import { computeReviewerKey } from "@/lib/domain/annotation";
import { StoreError } from "@/lib/domain/app-error";
import { type ListPage, rangeOfPage, takePage } from "@/lib/domain/list-page";
import { settle } from "@/lib/labels/scope-trials";

import { createGenerationCache } from "../shell/cache";
import { countQueue, type QueueCounts } from "./queue-counts";
import { getReviewer } from "./reviewer";

export interface QueueLine extends QueueHead {
  /** Trials of it that cannot be read. */
  readonly nUnreadable: number;
  readonly counts: Omit<QueueCounts, "nLost">;
  /** Trials that the reviewer who asks may still review; null for a queue of others, and while nobody gave a name. */
  readonly nLeft: number | null;
}

export interface QueuesPage extends ListPage<QueueLine> {
  /** Queues that cannot be read, on the first page. */
  readonly unreadable: readonly UnreadableQueue[];
  /** Why the store cannot be read, in a sentence; null when it can. */
  readonly problem: string | null;
}

/** Each is read whole for its counts, once a change. */
const QUEUES_PER_PAGE = 20;

/** Reads a page of the list of queues for the reviewer of this browser. */
export async function getQueuesPage(page: number): Promise<QueuesPage> {
  const { reviewerKey } = await getReviewer();
  try {
    return { ...(await readQueuesPage(getAnnotationStore(), page, reviewerKey)), problem: null };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ...takePage([], rangeOfPage(1, QUEUES_PER_PAGE)), unreadable: [], problem: error.message };
  }
}

/** What the list says of a queue, the same for everybody, and who may still review what. */
interface CountedQueue {
  readonly counts: QueueLine["counts"];
  /** Trials that want another judgment, each as the keys of those who judged it. */
  readonly wanted: readonly (readonly string[])[];
  readonly nUnreadable: number;
}

/** Counts of more queues than are listed on some pages. */
const keep = createGenerationCache(200);

/** Reads a page of the list of queues for a reviewer; each queue is counted once while no judgment and no decision changes. */
export async function readQueuesPage(store: AnnotationStore, page: number, reviewerKey: string) {
  const [version, { queues, unreadable }] = await Promise.all([
    readAnnotationsVersion(store),
    listQueues(store),
  ]);
  const { rows, ...place } = takePage(queues, rangeOfPage(page, QUEUES_PER_PAGE));
  const at = { store, generation: version ?? 0 };
  const readDecided = () => keep(at, "", async () => createDecisionFinder(await listDecisions(store)));
  const lines: QueueLine[] = [];
  for (const head of rows) {
    const { counted } = await keep(at, head.queueId, async () => ({
      counted: await countOne(store, head.queueId, readDecided),
    }));
    if (counted === null) continue;
    const names = head.settings.reviewers;
    const isTheirs = names.length === 0 || names.some((name) => computeReviewerKey(name) === reviewerKey);
    const nLeft = counted.wanted.filter((keys) => !keys.includes(reviewerKey)).length;
    lines.push({
      ...head,
      nUnreadable: counted.nUnreadable,
      counts: counted.counts,
      nLeft: reviewerKey !== "" && isTheirs ? nLeft : null,
    });
  }
  return { rows: lines, ...place, unreadable: page === 1 ? unreadable : [] };
}

async function countOne(
  store: AnnotationStore,
  queueId: string,
  readDecided: () => Promise<FindDecision>,
): Promise<CountedQueue | null> {
  const queue = await readQueue(store, queueId);
  if (queue === null) return null;
  const findDecision = await readDecided();
  const trials = queue.items.map(({ subject, nReviewers, labels }) => {
    const blind = labels.map(({ reviewerKey: key, blind: annotation }) => ({
      reviewerKey: key,
      annotation,
      isStale: false,
    }));
    return { labels: blind, nReviewers, place: null, ...settle(blind, findDecision(subject), nReviewers) };
  });
  const wanted = trials
    .filter(({ labels, nReviewers }) => labels.length < nReviewers)
    .map(({ labels }) => labels.map(({ reviewerKey }) => reviewerKey));
  return { counts: countQueue(trials), wanted, nUnreadable: queue.unreadable.length };
}

/** How many queues there are; null when the store cannot be read. */
export async function countQueues(): Promise<number | null> {
  try {
    return (await listQueues(getAnnotationStore())).queues.length;
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}
