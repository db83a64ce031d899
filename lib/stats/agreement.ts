import type { Weights } from "./bootstrap";
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
import { computeResampledFigures } from "./resample";
import { createColumnSums } from "./column-sums";
import type { ResampledInterval, ResampleOptions } from "./resample";
import { declareUnavailable, type Unavailable } from "./unavailable";

export interface RatedItem {
  /** Items of one task are drawn together by the bootstrap. */
  readonly task: string;
  /** One place a rater, the same in every item. Null, and any word that is no category (a deferral), is missing. */
  readonly labels: readonly (string | null)[];
}

/** A coefficient with its bootstrap interval by task. */
export interface Coefficient {
  readonly kind: "computed";
  /** 1 is perfect agreement, 0 what chance would give; the percentage starts from 0 instead. */
  readonly value: number;
  readonly bounds: ResampledInterval | Unavailable;
}

export interface CategoryAgreement {
  readonly category: string;
  /** Its share of all labels of items that were labelled twice or more. */
  readonly prevalence: number;
  /** Where one rater names it, how often another does too. */
  readonly specific: Coefficient | Unavailable;
  /** Krippendorff's alpha of this category against the others. */
  readonly alpha: Coefficient | Unavailable;
}

/** How far raters agree, by four measures that are to be read beside the prevalence. */
export interface Agreement {
  readonly kind: "computed";
  readonly nItems: number;
  /** Items with labels of two raters or more; all but AC1's expectation use them. */
  readonly nPaired: number;
  /** Tasks of these. */
  readonly nTasks: number;
  readonly nRaters: number;
  /** Places without a category's label, deferrals among them. */
  readonly nMissing: number;
  readonly missing: "exclude";
  /**
   * Why intervals may cover less than they say: fewer than 50 items with two labels, or fewer than 50 tasks of them, which
   * are drawn whole. Null where neither.
   */
  readonly warning: "few-items" | "few-tasks" | null;
  readonly percent: Coefficient | Unavailable;
  /** `not-two-raters` unless items have exactly two places. */
  readonly kappa: Coefficient | Unavailable;
  readonly alpha: Coefficient | Unavailable;
  readonly ac1: Coefficient | Unavailable;
  readonly categories: readonly CategoryAgreement[];
}

/** With fewer tasks than this percentiles cover too rarely, with more BCa covers too much: README.md has the simulation. */
const FEWEST_FOR_PERCENTILES = 50;
/** Intervals were found to cover what they say from so many independent items: README.md has the simulation. */
const FEWEST_WITHOUT_WARNING = 50;

/**
 * Percent agreement, Cohen's kappa, Krippendorff's alpha, Gwet's AC1 and agreement per category.
 * @param options.categories - the closed scale, used or not; at least two
 * @returns `no-double-labels` without an item of two labels; a coefficient is `no-variation` where one category alone was
 *   used, and kappa's interval `constant-rater` where one rater used one alone
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

/** Kappa of a constant rater is 0 in every sample in which it is anything, which says nothing of the tasks. */
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
