import "server-only";

import type { StandingAnswer } from "@/lib/annotations";
import { isSameTrial } from "@/lib/domain/annotation";
import { compareNames } from "@/lib/domain/compare-text";
import { SUGGESTER_KINDS, type SuggesterKind } from "@/lib/domain/suggestion";
import { computeWilsonInterval, type RateInterval, type Unavailable } from "@/lib/stats";
import type { TrialPlace } from "@/lib/store";

import type { PlacedSuggestion } from "./base";

/** A machine that gives tags, and how reviewers answered them. */
export interface SuggesterRow {
  readonly suggester: string;
  readonly kind: SuggesterKind;
  /** Of the rule or scanner, or the category. */
  readonly id: string;
  /** What an answer is about, see `Suggestion`; of a rule its class. */
  readonly version: string;
  /** Trials that have its tag now. */
  readonly nTrials: number;
  /** Of these, trials whose reviewers all say that it is right, or all that it is wrong; and those over which they differ. */
  readonly nAccepted: number;
  readonly nRejected: number;
  readonly nDisputed: number;
  /** Accepted of accepted and rejected trials, with Wilson's interval; null with fewer than {@link FEWEST_ANSWERS}. */
  readonly rate: RateInterval | Unavailable | null;
}

/** Answered trials without which no rate is given. */
export const FEWEST_ANSWERS = 5;

/** Every suggester with a tag on a trial: rules, scanners, judges, verifiers; of each kind the one that is right least often first, then those with too few answers. */
export function countSuggesters(
  suggestions: readonly PlacedSuggestion[],
  answers: readonly StandingAnswer[],
  places: readonly TrialPlace[],
): readonly SuggesterRow[] {
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

/** What the reviewers of each suggestion say together, by trial and suggestion. */
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

function countOne(
  own: readonly PlacedSuggestion[],
  verdicts: ReadonlyMap<string, Verdict>,
): readonly SuggesterRow[] {
  const [first] = own;
  if (first === undefined) return [];
  const { suggester, kind, id, version } = first;
  // Most indexes have no answers, and names of all suggestions cost more than the rest of the page.
  const said = verdicts.size === 0 ? [] : own.map((suggestion) => verdicts.get(nameAnswered(suggestion)));
  const count = (verdict: Verdict) => said.filter((one) => one === verdict).length;
  const nAccepted = count("accepted");
  const nRejected = count("rejected");
  const n = nAccepted + nRejected;
  return [
    {
      ...{ suggester, kind, id, version, nAccepted, nRejected },
      nTrials: own.length,
      nDisputed: count("disputed"),
      rate: n < FEWEST_ANSWERS ? null : computeWilsonInterval(nAccepted, n),
    },
  ];
}

/** Weakest first, unknown last. */
function rank({ rate }: SuggesterRow): number {
  return rate?.kind === "computed" ? rate.rate : 2;
}
