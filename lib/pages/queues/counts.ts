import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import { JUDGMENTS, type Judgment } from "@/lib/core/domain/judgment";
import { readVerdict } from "@/lib/core/domain/review";
import type { ScopeTrial } from "@/lib/people/labels/scope-trials";

export type CoverageLine = ReturnType<typeof coverQueue>[number];

/** `byFinal` counts final judgments, after decisions, without waiting trials. */
export function countQueue(
  trials: readonly Pick<ScopeTrial, "labels" | "nReviewers" | "state" | "final" | "place">[],
) {
  const double = trials.filter(({ labels }) => labels.length > 1);
  const count = (keep: (trial: (typeof trials)[number]) => boolean) => trials.filter(keep).length;
  return {
    nTrials: trials.length,
    nReviewed: count(({ labels, nReviewers }) => labels.length >= nReviewers),
    nJudgments: trials.reduce((sum, { labels }) => sum + labels.length, 0),
    nWanted: trials.reduce((sum, { labels, nReviewers }) => sum + Math.max(0, nReviewers - labels.length), 0),
    nConflicts: count(({ state }) => state === "conflict"),
    nDouble: double.length,
    nAgreed: double.filter(({ state }) => state === "agreed").length,
    byFinal: countJudgments(trials.flatMap(({ final, state }) => (state === "waiting" ? [] : (final ?? [])))),
    nLost: count(({ place }) => place === null),
  };
}

export function countJudgments(judgments: readonly Judgment[]): Readonly<Record<Judgment, number>> {
  const count = (judgment: Judgment) => judgments.filter((one) => one === judgment).length;
  return { pass: count(JUDGMENTS[0]), fail: count(JUDGMENTS[1]), defer: count(JUDGMENTS[2]) };
}

/**
 * Counts reviewed trials by agent and verdict, sorted by agent name. Uses the outcome the reviewer saw for trials in no open
 * folder. `nReviewed` trials have at least one judgment, `nComplete` all that they need.
 */
export function coverQueue(
  trials: readonly ScopeTrial[],
  identityOf: (agent: string, model: string | null) => number,
) {
  const byAgent = Map.groupBy(trials, ({ subject }) => JSON.stringify([subject.agent, subject.model]));
  return [...byAgent.values()]
    .flatMap((own) => own.slice(0, 1).map(({ subject: { agent, model } }) => ({ agent, model, own })))
    .toSorted((a, b) => compareNames(a.agent, b.agent) || compareNames(a.model ?? "", b.model ?? ""))
    .map(({ agent, model, own }) => {
      const of = (verdict: boolean | null) => {
        const same = own.filter(
          ({ place, subject }) => readVerdict(place?.outcome ?? subject.outcomeSeen) === verdict,
        );
        return {
          nTrials: same.length,
          nReviewed: same.filter(({ labels }) => labels.length > 0).length,
          nComplete: same.filter(({ labels, nReviewers }) => labels.length >= nReviewers).length,
        };
      };
      const identity = identityOf(agent, model);
      return { agent, model, identity, passed: of(true), failed: of(false), unknown: of(null) };
    });
}
