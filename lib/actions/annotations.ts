"use server";

import { revalidatePath } from "next/cache";

import {
  createAnnotation,
  getAnnotationStore,
  parseReviewRequest,
  REVIEW_REQUESTS,
  type ReviewRequest,
  withdrawAnnotation,
} from "@/lib/annotations";
import type { DraftProblems } from "@/lib/domain/annotation";
import { AppError, ConflictError, StoreError, ValidationError } from "@/lib/domain/app-error";
import { getActor } from "@/lib/queries/annotations/actor";
import { getNextToReview, getReviewSubject } from "@/lib/queries/annotations/review";
import { noteSave } from "@/lib/queries/shell/live";

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

/** Stores a judgment. The page is rendered again with it in the same answer. */
export async function saveReview(unchecked: ReviewRequest<"save">): Promise<ReviewResult> {
  try {
    const request = parseReviewRequest(REVIEW_REQUESTS.save, unchecked);
    const { subject } = await getReviewSubject(request.jobKey, request.trialKey);
    const saved = await createAnnotation(getAnnotationStore(), {
      subject: { ...subject, outcomeSeen: request.outcomeSeen, rewardSeen: request.rewardSeen },
      draft: request.draft,
      baseVersionId: request.baseVersionId,
      actor: await getActor(),
      ...(request.saveId === null ? {} : { saveId: request.saveId }),
    });
    noteSave();
    const nextHref = request.thenNext ? await getNextToReview(request, saved.reviewerId) : null;
    revalidatePath("/", "layout");
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
    const { subject } = await getReviewSubject(request.jobKey, request.trialKey);
    await withdrawAnnotation(getAnnotationStore(), { ...request, subject, actor: await getActor() });
    noteSave();
    revalidatePath("/", "layout");
    return { status: "undone" };
  } catch (error) {
    return toResult(error);
  }
}

/** Names the next trial of the list, or of the job the next that this reviewer has not reviewed, without saving anything. */
export async function findNextReview(unchecked: ReviewRequest<"next">): Promise<ReviewResult> {
  try {
    const request = parseReviewRequest(REVIEW_REQUESTS.next, unchecked);
    return { status: "next", nextHref: await getNextToReview(request, request.reviewerId) };
  } catch (error) {
    return toResult(error);
  }
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
  // A failure of the store may come from another bundle, where AppError is another class.
  if (error instanceof AppError || error instanceof StoreError)
    return { status: "failed", message: error.message };
  throw error;
}
