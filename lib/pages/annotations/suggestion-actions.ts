"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";

import { NotFoundError } from "@/lib/core/domain/app-error";
import { SUGGESTION_ANSWERS, type SuggestionAnswer } from "@/lib/core/domain/suggestion";
import { getActor } from "@/lib/pages/annotations/actor";
import { getReviewer } from "@/lib/pages/annotations/reviewer";
import { getSuggestionSubject } from "@/lib/pages/annotations/suggestions";
import { noteSave } from "@/lib/pages/shell/live";
import {
  answerSuggestion,
  getAnnotationStore,
  type ReviewTarget,
  reviewTargetSchema,
} from "@/lib/people/annotations";

import { describeFailure } from "../../core/domain/describe-failure";

export type SuggestionResult =
  | { readonly status: "done" }
  | { readonly status: "failed"; readonly message: string };

const request = z.object({
  target: reviewTargetSchema,
  suggester: z.string().max(10_000),
  version: z.string().max(10_000),
  answer: z.enum(SUGGESTION_ANSWERS).nullable(),
});

export async function answerSuggestionAction(unchecked: {
  readonly target: ReviewTarget;
  readonly suggester: string;
  readonly version: string;
  readonly answer: SuggestionAnswer | null;
}): Promise<SuggestionResult> {
  try {
    const { target, suggester, version, answer } = request.parse(unchecked);
    const { subject, suggestions } = await getSuggestionSubject(target);
    const isMade = suggestions.some((one) => one.suggester === suggester && one.version === version);
    // Undoing an answer works even if the suggestion is gone.
    if (answer !== null && !isMade)
      throw new NotFoundError("This is no longer suggested of the trial. Reload the page.");
    const { reviewerId: author } = await getReviewer();
    const given = { suggester, version, answer, author };
    await answerSuggestion(getAnnotationStore(), subject, given, await getActor());
    noteSave();
    revalidatePath("/", "layout");
    return { status: "done" };
  } catch (error) {
    if (error instanceof z.ZodError)
      return { status: "failed", message: "The page is out of date. Reload it." };
    return { status: "failed", message: describeFailure(error) };
  }
}
