import "server-only";
import {
  formatCount,
  formatPercent,
  formatPlural,
  formatRange,
  formatReward,
  formatSize,
} from "@/lib/core/format/number";
import { capitalise } from "@/lib/core/format/words";
import {
  type AccuracyRate,
  computeErrorRate,
  type CorrectedScore,
  type LabelPlan,
  readShift,
  type Unavailable,
  type VerdictCounts,
} from "@/lib/core/stats";
import type { DrawProblem } from "@/lib/people/labels/draws";
import type { ListPart } from "@/lib/people/labels/members";
import type { LeftOut } from "@/lib/people/labels/sample";
import { describeMargin, DRAWN_WORDS, listLeftOut } from "@/lib/people/labels/words";

import {
  type Correction,
  type RateName,
  RATES,
  readRate,
  type RatesRow,
  type VerifierReview,
} from "./review";

export function describeVerdict(review: VerifierReview) {
  const { score, all, plan, part, nLabels } = review;
  if (part !== null) return describePart(part, all);
  const next = plan.kind === "computed" ? describePlan(plan) : [];
  if (score.kind === "unavailable") {
    const headline =
      nLabels === 0 ? "No sampled trials reviewed yet." : "Too few labels to judge the verifier.";
    return { headline, sentences: [`The score cannot be corrected: it ${describeRefusal(score)}.`, ...next] };
  }
  return {
    headline: describeHeadline(score, nLabels),
    sentences: [...describeErrors(all), describeScore(score), ...next],
  };
}

/** For lists filtered by result, which support no statement about a score. */
function describePart(part: ListPart, row: RatesRow) {
  const [ppv, npv] = [readRate(row, "ppv"), readRate(row, "npv")];
  return {
    headline: `${capitalise(DRAWN_WORDS[part.kind])}: no score can be corrected.`,
    sentences: [
      ...describeError(ppv, "Of those that the verifier passed humans fail %"),
      ...describeError(npv, "Of those that it did not pass humans pass %"),
      `The list has ${formatCount(part.nTrials)} of ${formatPlural(part.nWhole, "trial")}; the others are unknown. Make a queue from the list without filters by result.`,
    ],
  };
}

/** A reader cannot see a shift that prints like this. */
const NO_POINTS = "0.0";

function describeHeadline(score: CorrectedScore, nLabels: number): string {
  const labels = formatPlural(nLabels, "label");
  switch (readShift(score)) {
    case "higher":
      return "The verifier is too strict: humans would give a higher score.";
    case "lower":
      return "The verifier is too lenient: humans would give a lower score.";
    case "same":
      return "Every trial is labelled, and the score stays as it is.";
    case "unclear": {
      const isSmall = (Math.abs(score.shift) * 100).toFixed(1) === NO_POINTS;
      if (isSmall) return `Humans come to the same score, but ${labels} do not exclude a difference.`;
      const way = score.shift > 0 ? "strict" : "lenient";
      return `The verifier looks too ${way}, but ${labels} are too few to be sure.`;
    }
  }
}

function describeErrors(row: RatesRow): readonly string[] {
  return [
    ...describeError(readRate(row, "tpr"), "It does not pass % of the work that humans pass"),
    ...describeError(readRate(row, "tnr"), "It passes % of the work that humans fail"),
  ];
}

function describeError(rate: AccuracyRate | Unavailable, words: string): readonly string[] {
  if (rate.kind === "unavailable") return [];
  const error = computeErrorRate(rate);
  const range = formatRange(error, (share) => (share * 100).toFixed(1));
  return [`${words.replace("%", formatPercent(error.rate))} (${range}).`];
}

function describeScore(score: CorrectedScore): string {
  const { corrected, observed, shift } = score;
  const size = formatSize(shift, true);
  const change = Number(size) === 0 ? "no change" : `${size} points ${shift > 0 ? "higher" : "lower"}`;
  const doubt = readShift(score) === "unclear" && Number(size) !== 0 ? ", could be no change" : "";
  return `The score would be ${formatReward(corrected)} ${describeMargin(score)} instead of ${formatReward(observed)}: ${change}${doubt}.`;
}

function describePlan(plan: LabelPlan): readonly string[] {
  const { nNext, halfWidthNow } = plan;
  const after = plan.points.find(({ nLabels }) => nLabels === nNext)?.halfWidth ?? null;
  if (nNext === 0 || after === null) return [];
  const labels = nNext === 1 ? "The next label" : `The next ${formatCount(nNext)} labels`;
  return halfWidthNow === null
    ? [`${labels} would give a score with half an interval of about ${formatSize(after, true)} points.`]
    : [
        `${labels} would narrow half the interval from ${formatSize(halfWidthNow, true)} to about ${formatSize(after, true)} points.`,
      ];
}

export function describeRefusal(score: Exclude<Correction, CorrectedScore>): string {
  if (score.reason === "chosen-by-result") return "needs the list without filters by result";
  if (!("needs" in score)) return "needs a trial with a verdict";
  const sum = (verdict: "passed" | "failed") =>
    score.needs.reduce((total, need) => total + (need.verdict === verdict ? need.nMore : 0), 0);
  return describeNeeds({ nPassed: sum("passed"), nFailed: sum("failed") });
}

/** Example: `needs 3 pass and 1 not pass`. */
function describeNeeds({ nPassed, nFailed }: VerdictCounts): string {
  const parts = [
    nPassed > 0 ? `${formatCount(nPassed)} pass` : "",
    nFailed > 0 ? `${formatCount(nFailed)} not pass` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `needs ${parts.join(" and ")}`;
}

export function describeMissingRate({ missing }: RatesRow, name: RateName, rate: Unavailable): string {
  const verdicts: readonly (keyof VerdictCounts)[] = RATES[name].verdicts;
  const needOf = (verdict: keyof VerdictCounts) => (verdicts.includes(verdict) ? missing[verdict] : 0);
  const needs = describeNeeds({ nPassed: needOf("nPassed"), nFailed: needOf("nFailed") });
  if (rate.reason === "chosen-by-result") return "needs the whole list";
  if (needs !== "") return needs;
  return rate.reason === "no-values" ? "no such label" : "an agent has none";
}

export function describeChange(score: CorrectedScore): string {
  switch (readShift(score)) {
    case "higher":
      return "higher";
    case "lower":
      return "lower";
    case "same":
      return "no change";
    case "unclear":
      return "could be no change";
  }
}

export function describeLeftOut(counts: LeftOut["counts"]): readonly string[] {
  return listLeftOut(counts).map((words) => `${words}: left out`);
}

export const PROBLEM_WORDS: Readonly<
  Record<DrawProblem, { readonly title: string; readonly advice: string }>
> = {
  "unknown-list": {
    title: "The sampled list is not open",
    advice: "Open its folder again, or make a queue from open trials.",
  },
  "changed-list": {
    title: "The sampled list changed",
    advice:
      "It has other trials or verdicts now, so the labels are no longer a sample of it. Make a new queue from the current list. A list of finished jobs does not change.",
  },
  "list-order": {
    title: "The labels are the first trials of the list",
    advice:
      "They are not a sample until the whole queue is judged. A queue in random order is one at any time.",
  },
  "unreadable-trials": {
    title: "Trials of the queue cannot be read",
    advice: "The rest of the queue is not a random sample. See the queue’s page, or make a new queue.",
  },
};

const OPEN_WORDS = [
  ["todo", "to do"],
  ["waiting", "waiting for another review"],
  ["stale", "to confirm"],
  ["conflict", "in conflict"],
  ["deferred", "deferred"],
] as const;

export function describeOpen({ open }: VerifierReview): string {
  const parts = OPEN_WORDS.flatMap(([standing, words]) => {
    const n = open.get(standing) ?? 0;
    return n === 0 ? [] : `${formatCount(n)} ${words}`;
  });
  return parts.length === 0 ? "" : `sampled without a label: ${parts.join(", ")}`;
}
