import "server-only";
import type { Route } from "next";

import { placeLabelBars, preparePlanChart } from "@/lib/core/charts/plan-chart";
import { PAGE_ROWS } from "@/lib/core/domain/list-page";
import {
  formatCount,
  formatPercent,
  formatPlural,
  formatRange,
  formatReward,
  formatSize,
  formatPoints,
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
  computeShare,
  type ConfusionCell,
  describeUnavailable,
} from "@/lib/core/stats";
import { jobHref } from "@/lib/pages/address/href";
import type { DrawProblem, ListPart } from "@/lib/people/labels/draws";
import { type LeftOut, describeMargin, DRAWN_WORDS, listLeftOut } from "@/lib/people/labels/sample";

import type { VerifierPage } from "./page";
import {
  type Correction,
  type RateName,
  RATES,
  readRate,
  type RatesRow,
  type VerifierReview,
  type AgentReview,
  NEXT_LABELS,
  RATE_NAMES,
  type StratumProgress,
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
  const effect =
    halfWidthNow === null
      ? "give a score with half an interval of"
      : `narrow half the interval from ${formatSize(halfWidthNow, true)} to`;
  return [`${labels} would ${effect} about ${formatSize(after, true)} points.`];
}

function describeRefusal(score: Exclude<Correction, CorrectedScore>): string {
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

function describeMissingRate({ missing }: RatesRow, name: RateName, rate: Unavailable): string {
  const verdicts: readonly (keyof VerdictCounts)[] = RATES[name].verdicts;
  const needOf = (verdict: keyof VerdictCounts) => (verdicts.includes(verdict) ? missing[verdict] : 0);
  const needs = describeNeeds({ nPassed: needOf("nPassed"), nFailed: needOf("nFailed") });
  if (rate.reason === "chosen-by-result") return "needs the whole list";
  if (needs !== "") return needs;
  return rate.reason === "no-values" ? "no such label" : "an agent has none";
}

function describeChange(score: CorrectedScore): string {
  const shift = readShift(score);
  if (shift === "same") return "no change";
  return shift === "unclear" ? "could be no change" : shift;
}

export function describeLeftOut(counts: LeftOut["counts"]): readonly string[] {
  return listLeftOut(counts).map((words) => `${words}: left out`);
}

const PROBLEM_WORDS: Readonly<Record<DrawProblem, { readonly title: string; readonly advice: string }>> = {
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

function describeOpen({ open }: VerifierReview): string {
  const parts = OPEN_WORDS.flatMap(([standing, words]) => {
    const n = open.get(standing) ?? 0;
    return n === 0 ? [] : `${formatCount(n)} ${words}`;
  });
  return parts.length === 0 ? "" : `sampled without a label: ${parts.join(", ")}`;
}

function describeCut(nAll: number): string {
  return nAll <= PAGE_ROWS
    ? "all agents together"
    : `all agents together, the ${formatCount(PAGE_ROWS)} with most trials of ${formatCount(nAll)}; the CSV has all`;
}

export type VerifierView = ReturnType<typeof prepareView>;

export type RowAgent = (Pick<AgentReview, "agent" | "model"> & { readonly identity: number }) | null;

function prepareView(page: VerifierPage, review: VerifierReview) {
  const { plan } = review;
  const identify = ({ agent, model }: Pick<AgentReview, "agent" | "model">) => ({
    agent,
    model,
    identity: page.identityOf(agent, model),
  });
  // The CSV has all rows.
  const rows = review.agents.slice(0, PAGE_ROWS).map((one) => ({ one, agent: identify(one) }));
  return {
    verdict: describeVerdict(review),
    matrix: prepareMatrix(review.all),
    scores: [
      ...(review.agents.length === 1 ? [] : [prepareScore("all", null, review.score, review.nLabels)]),
      ...rows.map(({ one, agent }) =>
        prepareScore(one.agentModel, agent, one.score, one.passed.nLabels + one.failed.nLabels),
      ),
    ],
    strata: prepareStrata(rows, review.agents),
    chart: plan.kind === "computed" && !page.isNarrowed ? preparePlanChart(plan) : null,
    nNext: plan.kind === "computed" ? plan.nNext : 0,
    openWords: describeOpen(review),
    planNote: describeNoPlan(page.isNarrowed, review),
    rates: [
      {
        title: "By agent",
        note:
          rows.length === review.agents.length
            ? ""
            : `${formatCount(rows.length)} of ${formatCount(review.agents.length)}; the CSV has all`,
        rows: [
          ...(review.agents.length === 1 ? [] : [prepareRates(review.all, "All agents", null, null)]),
          ...rows.map(({ one, agent }) => prepareRates(one.rates, one.agent, agent, null)),
        ],
      },
      {
        title: "By job",
        note: describeCut(review.jobs.length),
        rows: review.jobs.slice(0, PAGE_ROWS).map((row) => {
          const key = page.jobKeys.get(row.id) ?? row.id;
          return prepareRates(row.rate(), page.jobNames.get(key) ?? key, null, jobHref(key));
        }),
      },
      {
        title: "By task family",
        note: describeCut(review.families.length),
        rows: review.families.slice(0, PAGE_ROWS).map((row) => prepareRates(row.rate(), row.id, null, null)),
      },
    ],
  };
}

function describeNoPlan(isNarrowed: boolean, { part }: VerifierReview): string | null {
  if (part !== null) return "No labels are planned: labels of this list correct no score.";
  return isNarrowed ? "Labels are planned for the whole list. Clear the filters to see the plan." : null;
}

/** Counts by verifier and human; `share` is of all labels, for the shade of the cell. */
function prepareMatrix({ accuracy }: Pick<RatesRow, "accuracy">) {
  const toCell = ({ count, weight }: ConfusionCell, n: number) => ({
    count,
    trials: weight === null ? null : formatPlural(Math.round(weight), "trial"),
    share: computeShare(count, n) ?? 0,
  });
  const none = toCell({ count: 0, weight: null }, 0);
  if (accuracy.kind === "unavailable") return [none, none, none, none] as const;
  const { bothPassed, onlyHumanPassed, onlyVerifierPassed, bothFailed, n } = accuracy;
  return [
    toCell(bothPassed, n),
    toCell(onlyHumanPassed, n),
    toCell(onlyVerifierPassed, n),
    toCell(bothFailed, n),
  ] as const;
}

const DASH = formatReward(null);

function prepareScore(id: string, agent: RowAgent, score: Correction, nLabels: number) {
  const row = { id, agent, nLabels };
  if (score.kind === "unavailable") {
    const change = describeRefusal(score);
    return { ...row, recorded: DASH, corrected: DASH, margin: DASH, points: DASH, change, drawn: null };
  }
  const { observed, corrected, low, high, shift } = score;
  const [recorded, written] = [formatReward(observed), formatReward(corrected)];
  const summary = `recorded ${recorded}, corrected ${written}, 95 % interval ${formatRange(score)}`;
  return {
    ...row,
    recorded,
    corrected: written,
    margin: describeMargin(score),
    points: formatPoints(shift),
    change: describeChange(score),
    drawn: { value: corrected, low, high, observed, summary },
  };
}

const NO_BAR = { labelled: 0, next: 0 };

function prepareStrata(
  rows: readonly { readonly one: AgentReview; readonly agent: RowAgent }[],
  all: readonly AgentReview[],
) {
  const bars = placeLabelBars(rows.flatMap(({ one }) => [one.passed, one.failed]));
  const strata = rows.map(({ one, agent }, index) => ({
    id: one.agentModel,
    agent,
    passed: { ...one.passed, bar: bars[2 * index] ?? NO_BAR },
    failed: { ...one.failed, bar: bars[2 * index + 1] ?? NO_BAR },
  }));
  if (all.length === 1) return strata;
  const sum = (verdict: "passed" | "failed") => {
    const count = (field: keyof StratumProgress) =>
      all.reduce((total, one) => total + one[verdict][field], 0);
    const [nTrials, nDrawn, nLabels] = [count("nTrials"), count("nDrawn"), count("nLabels")];
    return { nTrials, nDrawn, nLabels, nNext: count("nNext"), bar: NO_BAR };
  };
  return [...strata, { id: "all", agent: null, passed: sum("passed"), failed: sum("failed") }];
}

const RATE_DECIMALS = 2;

function prepareRates(row: RatesRow, name: string, agent: RowAgent, href: Route | null) {
  const { bothPassed, onlyVerifierPassed, onlyHumanPassed, bothFailed } = row.labels;
  return {
    id: row.id,
    name,
    agent,
    href,
    /** Human pass and fail of trials that the verifier passed, then of those it did not. */
    counts: [bothPassed, onlyVerifierPassed, onlyHumanPassed, bothFailed],
    rates: RATE_NAMES.map((rateName) => {
      const rate = readRate(row, rateName);
      if (rate.kind === "unavailable") {
        const text = describeMissingRate(row, rateName, rate);
        return { name: rateName, text, title: `Not shown: ${describeUnavailable(rate.reason)}`, drawn: null };
      }
      const write = (value: number) => formatReward(value, RATE_DECIMALS);
      return {
        name: rateName,
        text: write(rate.rate),
        title: `${write(rate.rate)}, 95 % interval ${formatRange(rate, write)}, ${formatPlural(rate.n, "label")}`,
        drawn: { value: rate.rate, low: rate.low, high: rate.high },
      };
    }),
  };
}

export function prepareVerifierPage(page: VerifierPage) {
  const { review, problem, byHand, leftOut } = page;
  const view = review === null ? null : prepareView(page, review);
  const nConflicts = leftOut.get("conflict") ?? 0;
  return {
    summary: review === null ? "The verifier, compared with human labels." : describeSample(page, review),
    view,
    leftOut: describeLeftOut(leftOut),
    problem: problem === null ? null : PROBLEM_WORDS[problem],
    byHand: byHand?.kind === "computed" ? prepareMatrix({ accuracy: byHand }) : null,
    nextLabel:
      view === null || view.nNext === 0 || page.isNarrowed
        ? null
        : `Queue next ${formatPlural(Math.min(view.nNext, NEXT_LABELS), "label")}`,
    conflictsLabel: nConflicts === 0 ? null : formatPlural(nConflicts, "conflict"),
  };
}

function describeSample({ about }: VerifierPage, review: VerifierReview): string {
  const { nLabels, nDrawn, nTrials, nJobs, nDecided } = review;
  const queues = about === null ? "" : ` in ${formatPlural(about.queues.length, "queue")}`;
  const decided = nDecided === 0 ? "" : ` ${formatCount(nDecided)} of them decided conflicts.`;
  const others =
    about === null || about.nOtherLists === 0
      ? ""
      : ` Of several sampled lists, this one has most labels: ${about.source}.`;
  return `${formatPlural(nLabels, "label")} from ${formatPlural(nDrawn, "trial")} sampled at random${queues}, out of ${formatPlural(nTrials, "trial")} in ${formatPlural(nJobs, "job")}.${decided}${others}`;
}
