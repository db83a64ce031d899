import "server-only";
import { type PlacedInterval, placeInterval } from "@/lib/core/charts/interval-strip";
import { foldLabel } from "@/lib/core/domain/codebook";
import { sumBy } from "@/lib/core/domain/sum-by";
import {
  formatCount,
  formatPercent,
  formatPlural,
  formatRange,
  formatReward,
} from "@/lib/core/format/number";
import {
  type Agreement,
  type Coefficient,
  computeAgreement,
  computeAgreementByCategory,
  describeUnavailable,
  type Unavailable,
} from "@/lib/core/stats";
import { type CodebookHistory, type Queue, resolveLabel } from "@/lib/people/annotations";
import type { ScopeLabel, ScopeTrial } from "@/lib/people/labels/draws";

import type { ScopeContent } from "./judged";

export interface AgreementFigure {
  readonly name: string;
  readonly value: string | null;
  /** 95 % interval by task; null when unavailable. */
  readonly range: string | null;
  readonly reason: string | null;
  readonly placed: PlacedInterval | null;
}

export type ScopeAgreement = ReturnType<typeof computeScopeAgreement>;

const FEWEST_PAIRS = 5;
/** Each category costs one bootstrap. */
const MOST_CATEGORIES = 40;
const TOO_FEW: Unavailable = { kind: "unavailable", reason: "too-few-labels" };
const SCALE = { low: 0, high: 1 };

/** Computes how far the reviewers of a scope agree, without stale judgments. In a queue only blind judgments count. */
export function computeScopeAgreement({ trials, queue }: ScopeContent, history: CodebookHistory) {
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
    // Trials with pass or fail from at least two reviewers.
    nPairs: isComputed ? verdicts.nPaired : 0,
    nTasks: isComputed ? verdicts.nTasks : 0,
    // Of trials reviewed twice; they count in no pair.
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

/**
 * True if the judgment was saved while the page hid everything the queue hides. Outside queues this is unknown, so all judgments
 * count.
 */
function isBlind({ annotation }: ScopeLabel, queue: Queue | null): boolean {
  return queue === null || queue.settings.hides.every((part) => annotation.hidden?.includes(part) === true);
}

function computeCategories(
  twice: readonly ScopeTrial[],
  place: (labels: readonly ScopeLabel[]) => readonly (ScopeLabel["annotation"] | null)[],
  history: CodebookHistory,
) {
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
      // Trials reviewed twice where at least one reviewer used it.
      nNamed: n,
      figures: describeFigures(agreement),
    })),
    nMoreCategories: ids.length - computed.length,
  };
}

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
  return `From ${count}: with fewer than 50, intervals may be too narrow.`;
}

/** The first reviewer of a trial had nothing to see; later ones must not have seen it. */
function describeCaveat(twice: readonly ScopeTrial[]): string | null {
  const nSeen = twice.filter(({ labels }) =>
    labels.slice(1).some(({ annotation }) => annotation.hidden?.includes("reviewers") !== true),
  ).length;
  return nSeen === 0
    ? null
    : `On ${formatCount(nSeen)} of ${formatPlural(twice.length, "trial")} a second reviewer may have seen the first judgment, so agreement may be too high.`;
}
