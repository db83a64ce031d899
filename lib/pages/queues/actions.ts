"use server";

import type { Route } from "next";
import { revalidatePath } from "next/cache";
import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { getActor } from "@/lib/pages/annotations/actor";
import { queueHref, queueItemHref } from "@/lib/pages/annotations/review-address";
import { getReviewer } from "@/lib/pages/annotations/reviewer";
import { makeQueue, previewQueue, type QueuePreview } from "@/lib/pages/queues/new-queue";
import { noteSave } from "@/lib/pages/shell/live";
import {
  type Actor,
  closeQueue,
  getAnnotationStore,
  moveItem,
  parseQueueDraw,
  parseQueueForm,
  type QueueDraw,
  type QueueForm,
  takeNext,
} from "@/lib/people/annotations";

import { describeFailure } from "../../core/domain/describe-failure";

interface Failure {
  readonly status: "failed";
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

export type PreviewResult = { readonly status: "counted"; readonly preview: QueuePreview } | Failure;

export async function previewQueueAction(unchecked: QueueDraw): Promise<PreviewResult> {
  try {
    return { status: "counted", preview: await previewQueue(parseQueueDraw(unchecked)) };
  } catch (error) {
    return toFailure(error);
  }
}

export type MadeResult = { readonly status: "made"; readonly href: Route } | Failure;

export async function makeQueueAction(unchecked: QueueForm): Promise<MadeResult> {
  try {
    const form = parseQueueForm(unchecked);
    const queueId = await makeQueue(form, (await getReviewer()).reviewerId);
    noteSave();
    revalidatePath("/annotations", "layout");
    return { status: "made", href: queueHref(queueId) };
  } catch (error) {
    return toFailure(error);
  }
}

export type NextResult =
  | { readonly status: "item"; readonly href: Route }
  | { readonly status: "done"; readonly nHeld: number }
  | Failure;

const queueId = z.string().min(1).max(100);
const position = z.int().min(0);

export async function openNextAction(unchecked: string): Promise<NextResult> {
  try {
    const id = queueId.parse(unchecked);
    const { reviewerId } = await getReviewer();
    const next = await takeNext(getAnnotationStore(), {
      queueId: id,
      reviewerId,
      actor: await getActor(),
      from: null,
    });
    if (next.kind === "done") return { status: "done", nHeld: next.nHeld };
    return { status: "item", href: queueItemHref(id, next.lease.position) };
  } catch (error) {
    return toFailure(error);
  }
}

export type QueueResult = { readonly status: "done" } | Failure;

export async function putBackAction(unchecked: {
  readonly queueId: string;
  readonly position: number;
}): Promise<QueueResult> {
  const request = z.object({ queueId, position });
  return change(async (worker) =>
    moveItem(getAnnotationStore(), { ...request.parse(unchecked), ...worker, kind: "requeued" }),
  );
}

export async function closeQueueAction(unchecked: {
  readonly queueId: string;
  readonly isClosed: boolean;
}): Promise<QueueResult> {
  const request = z.object({ queueId, isClosed: z.boolean() });
  return change(async (worker) =>
    closeQueue(getAnnotationStore(), { ...request.parse(unchecked), ...worker }),
  );
}

async function change(
  work: (worker: { readonly reviewerId: string; readonly actor: Actor }) => Promise<void>,
): Promise<QueueResult> {
  try {
    await work({ reviewerId: (await getReviewer()).reviewerId, actor: await getActor() });
    noteSave();
    revalidatePath("/annotations", "layout");
    return { status: "done" };
  } catch (error) {
    return toFailure(error);
  }
}

function toFailure(error: unknown): Failure {
  if (error instanceof ValidationError)
    return { status: "failed", message: error.message, fields: error.fields };
  if (error instanceof z.ZodError)
    return { status: "failed", message: "The page is out of date. Reload it.", fields: {} };
  return { status: "failed", message: describeFailure(error), fields: {} };
}
