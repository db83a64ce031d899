"use server";

import { revalidatePath } from "next/cache";

import { ConflictError, ValidationError } from "@/lib/core/domain/app-error";
import { getActor } from "@/lib/pages/annotations/actor";
import { readName, requireOwnName } from "@/lib/pages/annotations/reviewer";
import { getDecisionTarget, getNextConflict } from "@/lib/pages/conflicts/page";
import { noteSave } from "@/lib/pages/shell/live";
import {
  decide,
  DECISION_REQUESTS,
  type DecisionRequest,
  getAnnotationStore,
  parseReviewRequest,
  withdrawDecision,
} from "@/lib/people/annotations";

import { describeFailure } from "../../core/domain/describe-failure";

/** Expected failures are values, since the form must keep what was typed. */
export type DecisionResult =
  | { readonly status: "saved"; readonly decisionId: string; readonly nextHref: string | null }
  | { readonly status: "undone" }
  | {
      readonly status: "invalid";
      readonly message: string;
      readonly problems: Readonly<Record<string, string>>;
    }
  | { readonly status: "conflict"; readonly message: string }
  | { readonly status: "failed"; readonly message: string };

/** The response includes the page rendered with the decision. */
export async function saveDecision(unchecked: DecisionRequest<"save">): Promise<DecisionResult> {
  try {
    const request = parseReviewRequest(DECISION_REQUESTS.save, unchecked);
    await requireOwnName(readName(request.draft, "decidedBy"));
    const { subject, sources, place } = await getDecisionTarget(request, request.sources);
    const decision = await decide(getAnnotationStore(), {
      subject,
      sources,
      draft: request.draft,
      baseDecisionId: request.baseDecisionId,
      queueId: request.queue,
      actor: await getActor(),
    });
    noteSave();
    // The decision is stored even if the next conflict cannot be found.
    const nextHref = request.thenNext
      ? await getNextConflict(request, place, decision.decidedBy).catch((error: unknown) => {
          describeFailure(error);
          return null;
        })
      : null;
    revalidatePath("/", "layout");
    return { status: "saved", decisionId: decision.decisionId, nextHref };
  } catch (error) {
    return toResult(error);
  }
}

export async function undoDecision(unchecked: DecisionRequest<"undo">): Promise<DecisionResult> {
  try {
    const request = parseReviewRequest(DECISION_REQUESTS.undo, unchecked);
    await withdrawDecision(getAnnotationStore(), { ...request, actor: await getActor() });
    noteSave();
    revalidatePath("/", "layout");
    return { status: "undone" };
  } catch (error) {
    return toResult(error);
  }
}

function toResult(error: unknown): DecisionResult {
  if (error instanceof ValidationError)
    return { status: "invalid", message: error.message, problems: error.fields };
  if (error instanceof ConflictError) {
    // Rendering again gives the form the other decision.
    revalidatePath("/", "layout");
    return { status: "conflict", message: error.message };
  }
  return { status: "failed", message: describeFailure(error) };
}
