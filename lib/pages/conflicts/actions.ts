"use server";

import { describeFailure } from "@/lib/core/domain/app-error";
import { getActor, readName, requireOwnName } from "@/lib/pages/annotations/reviewer";
import { getDecisionTarget, getNextConflict } from "@/lib/pages/conflicts/page";
import { save } from "@/lib/pages/shell/act";
import { noteSave } from "@/lib/pages/shell/live";
import {
  decide,
  DECISION_REQUESTS,
  type DecisionRequest,
  getAnnotationStore,
  parseReviewRequest,
  withdrawDecision,
} from "@/lib/people/annotations";

export async function saveDecision(unchecked: DecisionRequest<"save">) {
  return save(async () => {
    const request = parseReviewRequest(DECISION_REQUESTS.save, unchecked);
    await requireOwnName(readName(request.draft, "decidedBy"));
    const { subject, sources, place } = await getDecisionTarget(request, request.sources);
    const { decisionId, decidedBy } = await decide(getAnnotationStore(), {
      subject,
      sources,
      draft: request.draft,
      baseDecisionId: request.baseDecisionId,
      saveId: request.saveId,
      queueId: request.queue,
      actor: await getActor(),
    });
    noteSave();
    // The decision is stored even if the next conflict cannot be found.
    const nextHref = request.thenNext
      ? await getNextConflict(request, place, decidedBy).catch((error: unknown) => {
          describeFailure(error);
          return null;
        })
      : null;
    return { status: "saved" as const, decisionId, nextHref };
  });
}

export async function undoDecision(unchecked: DecisionRequest<"undo">) {
  return save(async () => {
    const request = parseReviewRequest(DECISION_REQUESTS.undo, unchecked);
    await withdrawDecision(getAnnotationStore(), { ...request, actor: await getActor() });
    return { status: "undone" as const };
  });
}
