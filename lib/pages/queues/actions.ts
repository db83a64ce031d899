"use server";

import { z } from "zod";

import { queueHref, queueItemHref } from "@/lib/pages/annotations/review-address";
import { getActor, getReviewer } from "@/lib/pages/annotations/reviewer";
import { makeQueue, previewQueue } from "@/lib/pages/queues/new-queue";
import { act, save } from "@/lib/pages/shell/act";
import {
  closeQueue,
  getAnnotationStore,
  moveItem,
  parseQueueDraw,
  parseQueueForm,
  type QueueDraw,
  type QueueForm,
  takeNext,
} from "@/lib/people/annotations";

export async function previewQueueAction(unchecked: QueueDraw) {
  return act(() => previewQueue(parseQueueDraw(unchecked)));
}

export async function makeQueueAction(unchecked: QueueForm) {
  return save(async () => {
    const form = parseQueueForm(unchecked);
    const id = await makeQueue(form, (await getReviewer()).reviewerId);
    return { href: queueHref(id) };
  });
}

const queueId = z.string().min(1).max(100);
const requests = {
  putBack: z.object({ queueId, position: z.int().min(0) }),
  close: z.object({ queueId, isClosed: z.boolean() }),
};

/** Returns the address of the reviewer's next trial; without one, how many other reviewers hold. */
export async function openNextAction(unchecked: string) {
  return act(async () => {
    const id = queueId.parse(unchecked);
    const next = await takeNext(getAnnotationStore(), { queueId: id, ...(await getWorker()), from: null });
    return next.kind === "done"
      ? { href: null, nHeld: next.nHeld }
      : { href: queueItemHref(id, next.lease.position), nHeld: 0 };
  });
}

export async function putBackAction(unchecked: z.input<typeof requests.putBack>) {
  return save(async () => {
    const item = requests.putBack.parse(unchecked);
    await moveItem(getAnnotationStore(), { ...item, ...(await getWorker()), kind: "requeued" });
  });
}

export async function closeQueueAction(unchecked: z.input<typeof requests.close>) {
  return save(async () => {
    const request = requests.close.parse(unchecked);
    await closeQueue(getAnnotationStore(), { ...request, ...(await getWorker()) });
  });
}

async function getWorker() {
  return { reviewerId: (await getReviewer()).reviewerId, actor: await getActor() };
}
