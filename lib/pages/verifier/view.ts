import "server-only";
import type { Route } from "next";

import { placeLabelBars, preparePlanChart } from "@/lib/core/charts/plan-chart";
import { PAGE_ROWS } from "@/lib/core/domain/list-page";
import { formatCount, formatPlural, formatPoints, formatRange, formatReward } from "@/lib/core/format/number";
import { computeShare, type ConfusionCell, describeUnavailable } from "@/lib/core/stats";
import { jobHref } from "@/lib/pages/address/href";
import { describeMargin } from "@/lib/people/labels/words";

import type { VerifierPage } from "./page";
import {
  type AgentReview,
  type Correction,
  NEXT_LABELS,
  RATE_NAMES,
  type RatesRow,
  readRate,
  type StratumProgress,
  type VerifierReview,
} from "./review";
import {
  describeChange,
  describeLeftOut,
  describeMissingRate,
  describeOpen,
  describeRefusal,
  describeVerdict,
  PROBLEM_WORDS,
} from "./words";

function describeCut(nAll: number, nShown: number): string {
  return nShown === nAll
    ? "all agents together"
    : `all agents together, the ${formatCount(nShown)} with most trials of ${formatCount(nAll)}; the CSV has all`;
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
  const jobs = review.jobs
    .slice(0, PAGE_ROWS)
    .map((row) => ({ row, key: page.jobKeys.get(row.id) ?? row.id }));
  const families = review.families.slice(0, PAGE_ROWS);
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
        note: describeCut(review.jobs.length, jobs.length),
        rows: jobs.map(({ row, key }) =>
          prepareRates(row.rate(), page.jobNames.get(key) ?? key, null, jobHref(key)),
        ),
      },
      {
        title: "By task family",
        note: describeCut(review.families.length, families.length),
        rows: families.map((row) => prepareRates(row.rate(), row.id, null, null)),
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
    return {
      nTrials: count("nTrials"),
      nDrawn: count("nDrawn"),
      nLabels: count("nLabels"),
      nNext: count("nNext"),
      bar: NO_BAR,
    };
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
    byHand: byHand === null ? null : prepareMatrix({ accuracy: byHand }),
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
