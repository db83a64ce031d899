import "server-only";
import { isSameTrial } from "@/lib/core/domain/annotation";
import { compareNames } from "@/lib/core/domain/compare-text";
import { SUGGESTER_KINDS } from "@/lib/core/domain/suggestion";
import { computeWilsonInterval } from "@/lib/core/stats";
import type { StandingAnswer } from "@/lib/people/annotations";
import type { TrialPlace } from "@/lib/store/tables";

import type { PlacedSuggestion } from "./base";

export type SuggesterRow = ReturnType<typeof countOne>[number];

export const FEWEST_ANSWERS = 5;

/** Within a kind, the least often right comes first, and those with too few answers last. */
export function countSuggesters(
  suggestions: readonly PlacedSuggestion[],
  answers: readonly StandingAnswer[],
  places: readonly TrialPlace[],
) {
  const verdicts = settleAnswers(answers, places);
  return [...Map.groupBy(suggestions, ({ suggester, version }) => `${suggester}\n${version}`).values()]
    .flatMap((own) => countOne(own, verdicts))
    .toSorted(
      (a, b) =>
        SUGGESTER_KINDS.indexOf(a.kind) - SUGGESTER_KINDS.indexOf(b.kind) ||
        rank(a) - rank(b) ||
        b.nTrials - a.nTrials ||
        compareNames(a.id, b.id),
    );
}

type Verdict = "accepted" | "rejected" | "disputed";

function settleAnswers(
  answers: readonly StandingAnswer[],
  places: readonly TrialPlace[],
): ReadonlyMap<string, Verdict> {
  const byName = Map.groupBy(places, ({ trialName }) => trialName);
  const verdicts = new Map<string, Verdict>();
  for (const { trial, suggester, version, answer } of answers) {
    for (const { id, ...place } of byName.get(trial.trialName) ?? []) {
      if (!isSameTrial(trial, { ...place, trialId: id })) continue;
      const name = nameAnswered({ ...place, suggester, version });
      const before = verdicts.get(name);
      verdicts.set(name, before === undefined || before === answer ? answer : "disputed");
    }
  }
  return verdicts;
}

function nameAnswered({
  jobRowId,
  position,
  suggester,
  version,
}: Pick<PlacedSuggestion, "jobRowId" | "position" | "suggester" | "version">): string {
  return `${String(jobRowId)} ${String(position)} ${suggester}\n${version}`;
}

function countOne(own: readonly PlacedSuggestion[], verdicts: ReadonlyMap<string, Verdict>) {
  const [first] = own;
  if (first === undefined) return [];
  const { suggester, kind, id, version } = first;
  // Most indexes have no answers, and naming all suggestions costs more than the rest of the page.
  const said = verdicts.size === 0 ? [] : own.map((suggestion) => verdicts.get(nameAnswered(suggestion)));
  const count = (verdict: Verdict) => said.filter((one) => one === verdict).length;
  const nAccepted = count("accepted");
  const nRejected = count("rejected");
  const n = nAccepted + nRejected;
  return [
    {
      // Answers refer to the version, see `Suggestion`; it is the class for a rule.
      ...{ suggester, kind, id, version, nAccepted, nRejected },
      nTrials: own.length,
      nDisputed: count("disputed"),
      /** Share of “right”, 0 to 1, among trials whose reviewers agree, with Wilson's interval; null with fewer than {@link FEWEST_ANSWERS}. */
      rate: n < FEWEST_ANSWERS ? null : computeWilsonInterval(nAccepted, n),
    },
  ];
}

function rank({ rate }: SuggesterRow): number {
  return rate?.kind === "computed" ? rate.rate : 2;
}
