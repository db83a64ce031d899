"use server";

import { z } from "zod";

import { NotFoundError } from "@/lib/core/domain/app-error";
import { SUGGESTION_ANSWERS } from "@/lib/core/domain/suggestion";
import { getActor, getReviewer } from "@/lib/pages/annotations/reviewer";
import { getSuggestionSubject } from "@/lib/pages/annotations/suggestions";
import { save } from "@/lib/pages/shell/act";
import { answerSuggestion, getAnnotationStore, reviewTargetSchema } from "@/lib/people/annotations";

const request = z.object({
  target: reviewTargetSchema,
  suggester: z.string().max(10_000),
  version: z.string().max(10_000),
  answer: z.enum(SUGGESTION_ANSWERS).nullable(),
});

export async function answerSuggestionAction(unchecked: z.input<typeof request>) {
  return save(async () => {
    const { target, suggester, version, answer } = request.parse(unchecked);
    const { subject, suggestions } = await getSuggestionSubject(target);
    const isMade = suggestions.some((one) => one.suggester === suggester && one.version === version);
    // Undoing an answer works even if the suggestion is gone.
    if (answer !== null && !isMade)
      throw new NotFoundError("This suggestion no longer exists. Reload the page.");
    const { reviewerId: author } = await getReviewer();
    const given = { suggester, version, answer, author };
    await answerSuggestion(getAnnotationStore(), subject, given, await getActor());
  });
}
