import "server-only";

import { type CodebookHistory, type Queue, resolveLabel } from "@/lib/annotations";
import { type PlacedInterval, placeInterval } from "@/lib/charts/interval-strip";
import { foldLabel } from "@/lib/domain/codebook";
import { sumBy } from "@/lib/domain/sum-by";
import { formatCount, formatPercent, formatPlural, formatRange, formatReward } from "@/lib/format/number";
import type { ScopeLabel, ScopeTrial } from "@/lib/labels/scope-trials";
import {
  type Agreement,
  type Coefficient,
  computeAgreement,
  computeAgreementByCategory,
  describeUnavailable,
  type Unavailable,
} from "@/lib/stats";

import type { ScopeContent } from "./scope";

/** A coefficient as it is written and drawn, from one and the same value. */
export interface AgreementFigure {
  readonly name: string;
  /** Null where it is refused; `reason` then says why. */
  readonly value: string | null;
  /** Its 95 % interval by task; null where there is none, and `reason` says why. */
  readonly range: string | null;
  readonly reason: string | null;
  /** On the scale from 0 to 1; null without a value. */
  readonly placed: PlacedInterval | null;
}

/** How far reviewers agree on whether a category is there. */
export interface CategoryFigures {
  readonly label: string;
  /** Trials reviewed twice that somebody gave it to. */
  readonly nNamed: number;
  readonly figures: readonly AgreementFigure[];
}

/** How far the reviewers of a scope agree, and the counts behind it. */
export interface ScopeAgreement {
  readonly nReviewers: number;
  /** Trials with pass or fail from two reviewers or more, and their tasks. */
  readonly nPairs: number;
  readonly nTasks: number;
  /** Defers of trials reviewed twice, which count for no pair. */
  readonly nDefers: number;
  /** Of a queue: judgments that were saved when the page hid less than the queue hides, and are left out. */
  readonly nNotBlind: number;
  /** Judgments whose trial's files changed since, which are left out until they are confirmed. */
  readonly nStale: number;
  /** Percent agreement, kappa, alpha and AC1 in this order. */
  readonly figures: readonly AgreementFigure[];
  /** Share of pass among the labels of pairs; a dash without any. */
  readonly passShare: string;
  /** Why intervals may be too narrow; null where they are not. */
  readonly warning: string | null;
  /** Why a second reviewer may have known what the first said; null where all judgments were saved while it was hidden. */
  readonly caveat: string | null;
  /** Those named most often first. */
  readonly categories: readonly CategoryFigures[];
  /** Categories that are not listed. */
  readonly nMoreCategories: number;
}

/** Fewer pairs than this carry no coefficient. */
const FEWEST_PAIRS = 5;
/** A bootstrap each. */
const MOST_CATEGORIES = 40;
const TOO_FEW: Unavailable = { kind: "unavailable", reason: "too-few-labels" };
const SCALE = { low: 0, high: 1 };

/** Computes how far the reviewers of a scope agree; of a queue from blind judgments alone. */
export function computeScopeAgreement(
  { trials, queue }: ScopeContent,
  history: CodebookHistory,
): ScopeAgreement {
  const counted = trials.map((trial) => ({
    ...trial,
    labels: trial.labels.filter((label) => !label.isStale && isBlind(label, queue)),
  }));
  const twice = counted.filter(({ labels }) => labels.length >= 2);
  const reviewers = [...new Set(twice.flatMap(({ labels }) => labels.map((one) => one.reviewerKey)))].sort();
  const place = (labels: readonly ScopeLabel[]) =>
    reviewers.map((key) => labels.find(({ reviewerKey }) => reviewerKey === key)?.annotation ?? null);
  const verdicts = computeAgreement(
    twice.map(({ subject, labels }) => ({
      task: subject.taskName,
      labels: place(labels).map((annotation) => annotation?.judgment ?? null),
    })),
    { categories: ["pass", "fail"] },
  );
  const isComputed = verdicts.kind === "computed";
  const all = trials.flatMap(({ labels }) => labels);
  return {
    nReviewers: reviewers.length,
    nPairs: isComputed ? verdicts.nPaired : 0,
    nTasks: isComputed ? verdicts.nTasks : 0,
    nDefers: twice.flatMap(({ labels }) => labels).filter(({ annotation }) => annotation.judgment === "defer")
      .length,
    nNotBlind: all.filter((label) => !isBlind(label, queue)).length,
    nStale: all.filter(({ isStale }) => isStale).length,
    figures: describeFigures(verdicts),
    passShare: formatPercent(isComputed ? (verdicts.categories[0]?.prevalence ?? null) : null),
    warning: describeWarning(verdicts),
    caveat: describeCaveat(twice),
    ...computeCategories(twice, place, history),
  };
}

/** Whether a judgment was saved while the page hid all that its queue hides; outside of queues nobody knows, and all count. */
function isBlind({ annotation }: ScopeLabel, queue: Queue | null): boolean {
  return queue === null || queue.settings.hides.every((part) => annotation.hidden?.includes(part) === true);
}

function computeCategories(
  twice: readonly ScopeTrial[],
  place: (labels: readonly ScopeLabel[]) => readonly (ScopeLabel["annotation"] | null)[],
  history: CodebookHistory,
): Pick<ScopeAgreement, "categories" | "nMoreCategories"> {
  const labels = new Map<string, string>();
  const name = (label: string, version: number | null) => {
    const category = resolveLabel(history, label, version);
    const id = category?.id ?? foldLabel(label);
    labels.set(id, category?.label ?? label);
    return id;
  };
  const items = twice.map((trial) => ({
    task: trial.subject.taskName,
    given: place(trial.labels).map(
      (annotation) =>
        annotation && annotation.categories.map((label) => name(label, annotation.codebookVersion)),
    ),
  }));
  const nNamed = sumBy(
    items.flatMap(({ given }) => [...new Set(given.flatMap((own) => own ?? []))]),
    (id) => id,
  );
  const ids = [...nNamed].toSorted((a, b) => b[1] - a[1]).map(([id]) => id);
  const computed = computeAgreementByCategory(items, { categories: ids.slice(0, MOST_CATEGORIES) });
  return {
    categories: computed.map(({ category, nNamed: n, agreement }) => ({
      label: labels.get(category) ?? category,
      nNamed: n,
      figures: describeFigures(agreement),
    })),
    nMoreCategories: ids.length - computed.length,
  };
}

/** Coefficients in words, or one reason for all of them. */
function describeFigures(agreement: Agreement | Unavailable): readonly AgreementFigure[] {
  const isFew = agreement.kind === "computed" && agreement.nPaired < FEWEST_PAIRS;
  const few = isFew ? TOO_FEW : agreement;
  const pick = (name: "percent" | "kappa" | "alpha" | "ac1") => (few.kind === "computed" ? few[name] : few);
  return [
    describeFigure("Percent agreement", pick("percent"), formatPercent),
    describeFigure("Cohen’s kappa", pick("kappa")),
    describeFigure("Krippendorff’s alpha", pick("alpha")),
    describeFigure("Gwet’s AC1", pick("ac1")),
  ];
}

function describeFigure(
  name: string,
  figure: Coefficient | Unavailable,
  format: (value: number) => string = (value) => formatReward(value, 2),
): AgreementFigure {
  if (figure.kind === "unavailable") {
    const reason = describeUnavailable(figure.reason);
    return { name, value: null, range: null, reason, placed: null };
  }
  const { value, bounds } = figure;
  const hasBounds = bounds.kind === "computed";
  const [low, high] = hasBounds ? [bounds.low, bounds.high] : [null, null];
  return {
    name,
    value: format(value),
    range: hasBounds ? formatRange(bounds, format) : null,
    reason: hasBounds ? null : describeUnavailable(bounds.reason),
    placed: placeInterval({ value, low, high }, SCALE),
  };
}

function describeWarning(agreement: Agreement | Unavailable): string | null {
  if (agreement.kind === "unavailable" || agreement.warning === null) return null;
  const { warning, nPaired, nTasks } = agreement;
  const count = warning === "few-items" ? formatPlural(nPaired, "pair") : formatPlural(nTasks, "task");
  return `From ${count}: with fewer than 50 the intervals may be too narrow.`;
}

/** The first reviewer of a trial had nothing to see; each later one must not have seen it. */
function describeCaveat(twice: readonly ScopeTrial[]): string | null {
  const nSeen = twice.filter(({ labels }) =>
    labels.slice(1).some(({ annotation }) => annotation.hidden?.includes("reviewers") !== true),
  ).length;
  return nSeen === 0
    ? null
    : `On ${formatCount(nSeen)} of ${formatPlural(twice.length, "trial")} a second reviewer may have seen the first judgment: agreement may be too high.`;
}
