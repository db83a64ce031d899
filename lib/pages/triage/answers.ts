import "server-only";
import { unlessUnreadable } from "@/lib/core/domain/app-error";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import { computeWilsonInterval } from "@/lib/core/stats";
import { type AnnotationStore, getAnnotationStore, readSuggestionAnswers } from "@/lib/people/annotations";
import { type FailureExample, type IndexStore, readTrialPlaces } from "@/lib/store/tables";

import { getActor, getReviewer } from "../annotations/reviewer";
import { readTrialAnswers } from "../annotations/suggestions";
import { countSuggesters, FEWEST_ANSWERS } from "../taxonomy/page";
import type { Finding } from "./findings";

export type RuleAnswers = Awaited<ReturnType<typeof readRuleAnswers>>;

/** Returns null if the store cannot be read. */
export async function getRuleAnswers(
  store: IndexStore,
  finding: Finding,
  examples: readonly FailureExample[],
): Promise<RuleAnswers | null> {
  const [{ reviewerKey }, { browserKeyHash }] = await Promise.all([getReviewer(), getActor()]);
  const own = { reviewerKey, browserKeyHash };
  return unlessUnreadable(() => readRuleAnswers(store, getAnnotationStore(), finding, examples, own), null);
}

/** Reads what reviewers say about the rules of a finding: of each example, and of all its trials. @throws StoreError */
export async function readRuleAnswers(
  store: IndexStore,
  annotations: AnnotationStore,
  { failures }: Finding,
  examples: readonly FailureExample[],
  own: Parameters<typeof readTrialAnswers>[2],
) {
  const { standing } = await readSuggestionAnswers(annotations);
  const answered = standing.map(({ trial }) => trial.trialName);
  const places = await readTrialPlaces(
    store,
    new Set([...answered, ...examples.map(({ trialName }) => trialName)]),
  );
  const suggestions = failures
    .filter(({ rule }) => rule !== "")
    .map(({ jobRowId, position, groupKey, rule: id, failureClass: version }) => {
      const suggester = nameSuggester("rule", id);
      return { jobRowId, position, groupKey, kind: "rule" as const, id, version, suggester };
    });
  const rows = countSuggesters(suggestions, standing, places);
  const nRight = rows.reduce((sum, { nAccepted }) => sum + nAccepted, 0);
  const nChecked = rows.reduce((sum, { nRejected }) => sum + nRejected, nRight);
  return {
    nChecked,
    /** Null with fewer than {@link FEWEST_ANSWERS}. */
    right: nChecked < FEWEST_ANSWERS ? null : computeWilsonInterval(nRight, nChecked),
    /** In the order of the examples; null for a trial that no rule classified. */
    examples: await Promise.all(
      examples.map(async ({ jobRowId, position, jobKey, key: trialKey }) => {
        const isHere = (at: { jobRowId: number; position: number }) =>
          at.jobRowId === jobRowId && at.position === position;
        const place = places.find(isHere);
        const suggestion = suggestions.find(isHere);
        if (place === undefined || suggestion === undefined) return null;
        const said = await readTrialAnswers(annotations, { ...place, trialId: place.id }, own);
        return {
          suggestion,
          of: { target: { kind: "trial" as const, jobKey, trialKey, list: null }, ...said },
        };
      }),
    ),
  };
}
