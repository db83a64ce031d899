import {
  computeAc1,
  computeAlpha,
  computeCategoryAlpha,
  computeKappa,
  computePercentAgreement,
  computePrevalence,
  computeSpecificAgreement,
  countItem,
  describeShape,
  hasConstantRater,
} from "./agreement-coefficients";
import type { Weights } from "./bootstrap";
import { createColumnSums } from "./column-sums";
import { computeResampledFigures } from "./resample";
import type { ResampledInterval, ResampleOptions } from "./resample";
import { declareUnavailable, type Unavailable } from "./unavailable";

export interface RatedItem {
  /** The bootstrap resamples the items of a task together. */
  readonly task: string;
  /** One entry per rater, in the same order in every item. Null and any text that is not a category (a deferral) are missing. */
  readonly labels: readonly (string | null)[];
}

export interface Coefficient {
  readonly kind: "computed";
  /** 1 is perfect agreement and 0 is agreement by chance; a percentage starts at 0 instead. */
  readonly value: number;
  readonly bounds: ResampledInterval | Unavailable;
}

export interface CategoryAgreement {
  readonly category: string;
  /** Share of all labels of items with at least two labels. */
  readonly prevalence: number;
  /** Share of other raters that name the category where one rater names it. */
  readonly specific: Coefficient | Unavailable;
  readonly alpha: Coefficient | Unavailable;
}

/** Agreement of raters by four measures, to be read together with the prevalence. */
export interface Agreement {
  readonly kind: "computed";
  readonly nItems: number;
  /** Items with labels of at least two raters. AC1 uses the other items as well, for its expectation. */
  readonly nPaired: number;
  readonly nTasks: number;
  readonly nRaters: number;
  readonly nMissing: number;
  readonly missing: "exclude";
  /**
   * Why intervals may cover less than 95 %: fewer than 50 items with two labels, or fewer than 50 tasks of such items, since tasks
   * are resampled whole.
   */
  readonly warning: "few-items" | "few-tasks" | null;
  readonly percent: Coefficient | Unavailable;
  /** `not-two-raters` unless items have exactly two entries. */
  readonly kappa: Coefficient | Unavailable;
  readonly alpha: Coefficient | Unavailable;
  readonly ac1: Coefficient | Unavailable;
  readonly categories: readonly CategoryAgreement[];
}

/** With fewer tasks percentiles cover too rarely, with more BCa covers too much. Simulation in README.md. */
const FEWEST_FOR_PERCENTILES = 50;
/** Intervals reach their stated coverage from this many independent items. Simulation in README.md. */
const FEWEST_WITHOUT_WARNING = 50;

/**
 * Computes percent agreement, Cohen's kappa, Krippendorff's alpha, Gwet's AC1 and agreement per category.
 * @param options.categories - the closed scale, at least two, including unused ones
 * @returns `no-double-labels` without an item of two labels; a coefficient is `no-variation` where only one category was used, and
 * kappa's interval is `constant-rater` where one rater used a single category
 */
export function computeAgreement(
  items: readonly RatedItem[],
  options: ResampleOptions & { readonly categories: readonly string[] },
): Agreement | Unavailable {
  const { categories } = options;
  const shape = describeShape(categories.length);
  const places = new Map(categories.map((category, index) => [category, index]));
  const coded = items.map(({ labels }) =>
    labels.map((label) => (label === null ? null : (places.get(label) ?? null))),
  );
  const nRaters = coded.reduce((most, labels) => Math.max(most, labels.length), 0);
  const rows = sumByTask(
    items,
    coded.map((labels) => countItem(labels, shape)),
  );
  const sumColumns = createColumnSums(rows);
  const sums = sumColumns(new Uint16Array(rows.length).fill(1)).slice();
  const nPaired = sums[0] ?? 0;
  if (nPaired === 0) return declareUnavailable("no-double-labels");
  const nTasks = rows.filter((row) => row[0] !== 0).length;
  const isPairOfRaters = nRaters === 2;
  const compute = (weights: Weights, figures: Float64Array) => {
    const totals = sumColumns(weights);
    figures[0] = computePercentAgreement(totals);
    figures[1] = isPairOfRaters ? computeKappa(totals, shape) : Number.NaN;
    figures[2] = computeAlpha(totals, shape);
    figures[3] = computeAc1(totals, shape);
    categories.forEach((_, k) => {
      figures[4 + 2 * k] = computeSpecificAgreement(totals, shape, k);
      figures[5 + 2 * k] = computeCategoryAlpha(totals, shape, k);
    });
  };
  const figures = computeResampledFigures(
    { nRows: rows.length, nFigures: 4 + 2 * categories.length, compute },
    { ...options, method: options.method ?? (rows.length < FEWEST_FOR_PERCENTILES ? "bca" : "percentile") },
  );
  const pick = (place: number): Coefficient | Unavailable => {
    const figure = figures[place];
    if (figure === undefined || Number.isNaN(figure.value)) return declareUnavailable("no-variation");
    return { kind: "computed", ...figure };
  };
  return {
    kind: "computed",
    nItems: items.length,
    nPaired,
    nTasks,
    nRaters,
    nMissing: coded.flat().filter((label) => label === null).length,
    missing: "exclude",
    warning: chooseWarning(nPaired, nTasks),
    percent: pick(0),
    kappa: isPairOfRaters
      ? explainBounds(pick(1), hasConstantRater(sums, shape))
      : declareUnavailable("not-two-raters"),
    alpha: pick(2),
    ac1: pick(3),
    categories: categories.map((category, k) => ({
      category,
      prevalence: computePrevalence(sums, shape, k),
      specific: pick(4 + 2 * k),
      alpha: pick(5 + 2 * k),
    })),
  };
}

/** Kappa of a constant rater is 0 in every sample where it is defined, which carries no information about the tasks. */
function explainBounds(kappa: Coefficient | Unavailable, isConstant: boolean): Coefficient | Unavailable {
  if (!isConstant || kappa.kind === "unavailable") return kappa;
  const { bounds } = kappa;
  if (bounds.kind === "computed" || bounds.reason === "one-value") return kappa;
  return { ...kappa, bounds: declareUnavailable("constant-rater") };
}

function chooseWarning(nPaired: number, nTasks: number): Agreement["warning"] {
  if (nPaired < FEWEST_WITHOUT_WARNING) return "few-items";
  return nTasks < FEWEST_WITHOUT_WARNING ? "few-tasks" : null;
}

function sumByTask(items: readonly RatedItem[], rows: readonly (readonly number[])[]): number[][] {
  const byTask = new Map<string, number[]>();
  items.forEach(({ task }, index) => {
    const row = rows[index] ?? [];
    const sums = byTask.get(task);
    if (sums === undefined) byTask.set(task, [...row]);
    else row.forEach((value, column) => (sums[column] = (sums[column] ?? 0) + value));
  });
  return [...byTask.values()];
}
