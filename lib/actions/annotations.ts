"use server";

import { revalidatePath } from "next/cache";

import { queueHref, queueItemHref } from "@/lib/addresses/review";
import {
  createAnnotation,
  getAnnotationStore,
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
} from "@/lib/annotations";
import { computeReviewerKey, type DraftProblems } from "@/lib/domain/annotation";
import { ConflictError, ForbiddenError, ValidationError } from "@/lib/domain/app-error";
import { getActor } from "@/lib/queries/annotations/actor";
import { type OfferedCategory, searchCategories } from "@/lib/queries/annotations/offers";
import { getNextToReview, getReviewSubject } from "@/lib/queries/annotations/review";
import { readName, requireOwnName } from "@/lib/queries/annotations/reviewer";
import type { QueueItemView } from "@/lib/queries/annotations/queue-item";
import { uncover } from "@/lib/queries/trial/blind";
import { noteSave } from "@/lib/queries/shell/live";

import { describeFailure } from "./describe-failure";

/** What became of a save or undo. Expected failures are values, since the form must keep the reviewer's text. */
export type ReviewResult =
  | {
      readonly status: "saved";
      readonly versionId: string;
      readonly nextHref: string | null;
      readonly wasLast: boolean;
    }
  | { readonly status: "next"; readonly nextHref: string | null }
  | { readonly status: "undone" }
  | { readonly status: "invalid"; readonly message: string; readonly problems: DraftProblems }
  | { readonly status: "conflict"; readonly message: string }
  | { readonly status: "failed"; readonly message: string };

/** Whether the trial of a queue is this reviewer's for now, or why it is not. */
export type TakeResult =
  /** `nextHref` is where the next one probably is, to be read ahead; null where none is or that is not known. */
  | {
      readonly status: "taken";
      readonly token: string;
      readonly expiresAt: string;
      readonly nextHref: string | null;
    }
  | { readonly status: "held"; readonly holder: string; readonly expiresAt: string }
  /** It has all judgments that it needs, or one of this reviewer. */
  | { readonly status: "judged" }
  | { readonly status: "failed"; readonly message: string };

/** Stores a judgment. The page is rendered again with it in the same answer. */
export async function saveReview(unchecked: ReviewRequest<"save">): Promise<ReviewResult> {
  try {
    const request = parseReviewRequest(REVIEW_REQUESTS.save, unchecked);
    const { target, seen } = request;
    await requireOwnName(readName(request.draft, "reviewerId"));
    const { subject, item, fingerprint } = await getReviewSubject(target);
    if (item !== null) refuseStranger(item.head.settings.reviewers, request.draft);
    const isHidden = item?.hidden.includes("verifier") === true;
    const saved = await createAnnotation(getAnnotationStore(), {
      subject:
        seen === null || isHidden
          ? subject
          : { ...subject, outcomeSeen: seen.outcome, rewardSeen: seen.reward },
      // Names that the page painted over are what the evidence points at.
      draft: item === null ? request.draft : await uncoverEvidence(item, request.draft),
      fingerprint,
      baseVersionId: request.baseVersionId,
      actor: await getActor(),
      ...(request.saveId === null ? {} : { saveId: request.saveId }),
      ...(target.kind === "item" && item !== null
        ? { queue: { ...target, hidden: item.wasShown ? [] : item.hidden } }
        : {}),
    });
    noteSave();
    const nextHref = request.thenNext ? await findNextOrStay(target, saved.reviewerId) : null;
    // The page that is left need not be drawn once more: the next one is waited for.
    if (nextHref === null) revalidatePath("/", "layout");
    return {
      status: "saved",
      versionId: saved.versionId,
      nextHref,
      wasLast: request.thenNext && nextHref === null,
    };
  } catch (error) {
    return toResult(error);
  }
}

/** Takes the reviewer's current judgment of a trial back. */
export async function undoReview(unchecked: ReviewRequest<"undo">): Promise<ReviewResult> {
  try {
    const request = parseReviewRequest(REVIEW_REQUESTS.undo, unchecked);
    await requireOwnName(request.reviewerId);
    const { subject } = await getReviewSubject(request.target);
    const { target } = request;
    const queueId = target.kind === "item" ? target.queueId : null;
    const actor = await getActor();
    await withdrawAnnotation(getAnnotationStore(), { ...request, subject, actor, queueId });
    noteSave();
    revalidatePath("/", "layout");
    return { status: "undone" };
  } catch (error) {
    return toResult(error);
  }
}

/** Names the next trial of the list, queue, or of the job the next that this reviewer has not reviewed, without saving anything. */
export async function findNextReview(unchecked: ReviewRequest<"next">): Promise<ReviewResult> {
  try {
    const request = parseReviewRequest(REVIEW_REQUESTS.next, unchecked);
    // In a queue it takes the place, and ends the one before.
    await requireOwnName(request.reviewerId);
    return { status: "next", nextHref: await findNext(request.target, request.reviewerId) };
  } catch (error) {
    return toResult(error);
  }
}

async function uncoverEvidence(item: QueueItemView, draft: unknown): Promise<unknown> {
  if (typeof draft !== "object" || draft === null || !("evidence" in draft)) return draft;
  return { ...draft, evidence: await uncover(item, draft.evidence) };
}

/** A queue for some people takes no judgment of others. @throws ForbiddenError */
function refuseStranger(reviewers: readonly string[], draft: unknown): void {
  if (reviewers.length === 0) return;
  const name = readName(draft, "reviewerId");
  if (reviewers.every((one) => computeReviewerKey(one) !== computeReviewerKey(name)))
    throw new ForbiddenError(`This queue is for ${reviewers.join(", ")}. Judge under one of these names.`);
}

/** The way on from what is stored: when it is not found, as in a queue that was closed meanwhile, the save is one all the same. */
async function findNextOrStay(target: ReviewTarget, reviewerId: string): Promise<string | null> {
  try {
    return await findNext(target, reviewerId);
  } catch (error) {
    describeFailure(error);
    return target.kind === "item" ? queueHref(target.queueId) : null;
  }
}

/** A queue ends at its page, which says how it went. */
async function findNext(target: ReviewTarget, reviewerId: string): Promise<string | null> {
  if (target.kind === "trial") return getNextToReview(target, reviewerId);
  const { queueId, position } = target;
  const actor = await getActor();
  const next = await takeNext(getAnnotationStore(), { queueId, reviewerId, actor, from: position });
  // Where only the trial is left that one leaves, the queue's page says who has the others.
  return next.kind === "item" && next.lease.position !== position
    ? queueItemHref(queueId, next.lease.position)
    : queueHref(queueId);
}

/** Opens the trial of a queue under a lease, or says who has it. */
export async function takeQueueItem(unchecked: ReviewRequest<"take">): Promise<TakeResult> {
  try {
    const request = parseReviewRequest(REVIEW_REQUESTS.take, unchecked);
    await requireOwnName(request.reviewerId);
    const taken = await takeItem(getAnnotationStore(), { ...request, actor: await getActor() });
    if (taken.kind === "judged") return { status: "judged" };
    if (taken.kind === "held")
      return { status: "held", holder: taken.holder.reviewerId, expiresAt: taken.holder.expiresAt };
    const { lease, next } = taken;
    const nextHref = next === null ? null : queueItemHref(request.queueId, next);
    return { status: "taken", token: lease.token, expiresAt: lease.expiresAt, nextHref };
  } catch (error) {
    return toFailure(error);
  }
}

/** Prolongs a lease; `held` when it ended because somebody else came or took it over. */
export async function renewQueueLease(unchecked: ReviewRequest<"renew">): Promise<TakeResult> {
  try {
    const request = parseReviewRequest(REVIEW_REQUESTS.renew, unchecked);
    await requireOwnName(request.reviewerId);
    const lease = await renewLease(getAnnotationStore(), { ...request, actor: await getActor() });
    if (lease === null) return { status: "held", holder: "somebody else", expiresAt: "" };
    return { status: "taken", token: lease.token, expiresAt: lease.expiresAt, nextHref: null };
  } catch (error) {
    return toFailure(error);
  }
}

/** Gives the trial of a queue back for others to take. */
export async function releaseQueueItem(unchecked: ReviewRequest<"release">): Promise<ReviewResult> {
  try {
    const request = parseReviewRequest(REVIEW_REQUESTS.release, unchecked);
    await releaseLease(getAnnotationStore(), request);
    return { status: "next", nextHref: queueHref(request.queueId) };
  } catch (error) {
    return toResult(error);
  }
}

/** Puts the trial of a queue at the reviewer's end and names the next one, or puts it back to its place. */
export async function moveQueueItem(unchecked: ReviewRequest<"move">): Promise<ReviewResult> {
  try {
    const request = parseReviewRequest(REVIEW_REQUESTS.move, unchecked);
    await requireOwnName(request.reviewerId);
    await moveItem(getAnnotationStore(), { ...request, actor: await getActor() });
    noteSave();
    const { queueId, position, reviewerId, kind } = request;
    const target = { kind: "item", queueId, position } as const;
    const nextHref = kind === "skipped" ? await findNextOrStay(target, reviewerId) : queueHref(queueId);
    revalidatePath("/", "layout");
    return { status: "next", nextHref };
  } catch (error) {
    return toResult(error);
  }
}

/** Categories of the codebook that a text finds; none when the codebook cannot be read. */
export async function findCategories(
  unchecked: ReviewRequest<"categories">,
): Promise<readonly OfferedCategory[]> {
  try {
    const { text } = parseReviewRequest(REVIEW_REQUESTS.categories, unchecked);
    return await searchCategories(getAnnotationStore(), text);
  } catch (error) {
    describeFailure(error);
    return [];
  }
}

function toFailure(error: unknown): TakeResult {
  return { status: "failed", message: describeFailure(error) };
}

function toResult(error: unknown): ReviewResult {
  if (error instanceof ValidationError) {
    return { status: "invalid", message: error.message, problems: error.fields };
  }
  if (error instanceof ConflictError) {
    // The answer brings the page's new state, in which the form finds the other side.
    revalidatePath("/", "layout");
    return { status: "conflict", message: error.message };
  }
  return { status: "failed", message: describeFailure(error) };
}
