"use server";

import type { z } from "zod";

import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { describeFailure, ForbiddenError } from "@/lib/core/domain/app-error";
import {
  type OfferedCategory,
  searchCategories,
  getNextToReview,
  getReviewSubject,
} from "@/lib/pages/annotations/review";
import { queueHref, queueItemHref } from "@/lib/pages/annotations/review-address";
import { getActor, readName, requireOwnName } from "@/lib/pages/annotations/reviewer";
import type { QueueItemView } from "@/lib/pages/queues/item";
import { act, type ActionFailure, save, showSave } from "@/lib/pages/shell/act";
import { noteSave } from "@/lib/pages/shell/live";
import { uncover } from "@/lib/pages/trial/blind";
import {
  type Actor,
  createAnnotation,
  getAnnotationStore,
  isForReviewer,
  moveItem,
  parseReviewRequest,
  releaseLease,
  renewLease,
  REVIEW_REQUESTS,
  type ReviewRequest,
  type ReviewTarget,
  takeItem,
  takeNext,
  withdrawAnnotation,
} from "@/lib/people/annotations";

export async function saveReview(unchecked: ReviewRequest<"save">) {
  return act(async () => {
    const request = parseReviewRequest(REVIEW_REQUESTS.save, unchecked);
    const { target, seen } = request;
    await requireOwnName(readName(request.draft, "reviewerId"));
    const { subject, item, fingerprint } = await getReviewSubject(target);
    if (item !== null) refuseStranger(item.head.settings, readName(request.draft, "reviewerId"));
    const isHidden = item?.hidden.includes("verifier") === true;
    const shown = isHidden || seen === null ? {} : { outcomeSeen: seen.outcome, rewardSeen: seen.reward };
    const saved = await createAnnotation(getAnnotationStore(), {
      subject: { ...subject, ...shown },
      // The page redacts names, but stored evidence must refer to the original text.
      draft: item === null ? request.draft : await uncoverEvidence(item, request.draft),
      fingerprint,
      baseVersionId: request.baseVersionId,
      actor: await getActor(),
      ...(request.saveId === null ? {} : { saveId: request.saveId }),
      ...(target.kind === "item" && item !== null
        ? { queue: { ...target, hidden: item.wasShown ? [] : item.hidden } }
        : {}),
    });
    // Other pages hear of the save even if the next trial cannot be read.
    noteSave();
    const nextHref = request.thenNext ? await findNextOrStay(target, saved.reviewerId) : null;
    // The user leaves this page and waits for the next one, so skip rendering it.
    if (nextHref === null) showSave();
    const wasLast = request.thenNext && nextHref === null;
    return { status: "saved" as const, versionId: saved.versionId, nextHref, wasLast };
  });
}

export async function undoReview(unchecked: ReviewRequest<"undo">) {
  return save(async () => {
    const request = await readRequest(REVIEW_REQUESTS.undo, unchecked);
    const { subject } = await getReviewSubject(request.target);
    const queueId = request.target.kind === "item" ? request.target.queueId : null;
    await withdrawAnnotation(getAnnotationStore(), { ...request, subject, queueId });
    return { status: "undone" as const };
  });
}

/** Refuses requests under the name of another user. */
async function readRequest<Request extends { readonly reviewerId: string }>(
  schema: z.ZodType<Request>,
  unchecked: Request,
): Promise<Request & { readonly actor: Actor }> {
  const request = parseReviewRequest(schema, unchecked);
  await requireOwnName(request.reviewerId);
  return { ...request, actor: await getActor() };
}

/** Returns the next trial of the list or queue, or the next unreviewed one of the job. Saves nothing. */
export async function findNextReview(unchecked: ReviewRequest<"next">) {
  return act(async () => {
    // In a queue this leases the next trial and ends the earlier lease.
    const { target, reviewerId } = await readRequest(REVIEW_REQUESTS.next, unchecked);
    return { status: "next" as const, nextHref: await findNext(target, reviewerId) };
  });
}

async function uncoverEvidence(item: QueueItemView, draft: unknown): Promise<unknown> {
  if (typeof draft !== "object" || draft === null || !("evidence" in draft)) return draft;
  return { ...draft, evidence: await uncover(item, draft.evidence) };
}

function refuseStranger(settings: QueueItemView["head"]["settings"], name: string): void {
  if (!isForReviewer(settings, computeReviewerKey(name)))
    throw new ForbiddenError(`This queue is for ${settings.reviewers.join(", ")}. Use one of these names.`);
}

/** The save succeeded even if the next trial cannot be found, as in a queue closed meanwhile. */
async function findNextOrStay(target: ReviewTarget, reviewerId: string): Promise<string | null> {
  try {
    return await findNext(target, reviewerId);
  } catch (error) {
    describeFailure(error);
    return target.kind === "item" ? queueHref(target.queueId) : null;
  }
}

/** Returns the queue's page, which shows the result, at the end of a queue. */
async function findNext(target: ReviewTarget, reviewerId: string): Promise<string | null> {
  if (target.kind === "trial") return getNextToReview(target, reviewerId);
  const { queueId, position } = target;
  const actor = await getActor();
  const next = await takeNext(getAnnotationStore(), { queueId, reviewerId, actor, from: position });
  // If only the current trial is left, the queue's page shows who holds the others.
  return next.kind === "item" && next.lease.position !== position
    ? queueItemHref(queueId, next.lease.position)
    : queueHref(queueId);
}

/** `nextHref` is the probable next trial, for prefetching; null if there is none or it is unknown. */
type Taking =
  | { readonly status: "taken"; readonly token: string; readonly nextHref: string | null }
  | { readonly status: "held"; readonly holder: string }
  | { readonly status: "judged" };

export type TakeResult = Taking | ActionFailure;

export async function takeQueueItem(unchecked: ReviewRequest<"take">): Promise<TakeResult> {
  return act(async (): Promise<Taking> => {
    const request = await readRequest(REVIEW_REQUESTS.take, unchecked);
    const taken = await takeItem(getAnnotationStore(), request);
    if (taken.kind === "judged") return { status: "judged" };
    if (taken.kind === "held") return { status: "held", holder: taken.holder.reviewerId };
    const nextHref = taken.next === null ? null : queueItemHref(request.queueId, taken.next);
    return { status: "taken", token: taken.lease.token, nextHref };
  });
}

/** Returns `held` if the lease expired and was reassigned, or was taken over. */
export async function renewQueueLease(unchecked: ReviewRequest<"renew">): Promise<TakeResult> {
  return act(async (): Promise<Taking> => {
    const lease = await renewLease(getAnnotationStore(), await readRequest(REVIEW_REQUESTS.renew, unchecked));
    if (lease === null) return { status: "held", holder: "another reviewer" };
    return { status: "taken", token: lease.token, nextHref: null };
  });
}

export async function releaseQueueItem(unchecked: ReviewRequest<"release">) {
  return act(() =>
    releaseLease(getAnnotationStore(), parseReviewRequest(REVIEW_REQUESTS.release, unchecked)),
  );
}

/** Skips the trial to the reviewer's end and returns the next one, or puts it back. */
export async function moveQueueItem(unchecked: ReviewRequest<"move">) {
  return save(async () => {
    const request = await readRequest(REVIEW_REQUESTS.move, unchecked);
    await moveItem(getAnnotationStore(), request);
    noteSave();
    const { queueId, position, reviewerId, kind } = request;
    const target = { kind: "item", queueId, position } as const;
    const nextHref = kind === "skipped" ? await findNextOrStay(target, reviewerId) : queueHref(queueId);
    return { status: "next" as const, nextHref };
  });
}

/** Returns no category on failure: the field takes a typed name too. */
export async function findCategories(
  unchecked: ReviewRequest<"categories">,
): Promise<readonly OfferedCategory[]> {
  const found = await act(() => {
    const { text } = parseReviewRequest(REVIEW_REQUESTS.categories, unchecked);
    return searchCategories(getAnnotationStore(), text);
  });
  return "message" in found ? [] : found;
}
