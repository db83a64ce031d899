import {
  type ResampleOptions,
  type ResampledInterval,
  type Weights,
  computeResampledFigures,
  createColumnSums,
} from "./bootstrap";
import { type Computed, type Unavailable, declareUnavailable } from "./unavailable";

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

/** With fewer tasks percentiles cover too rarely, with more BCa covers too much. Simulation in README.md. */
const FEWEST_FOR_PERCENTILES = 50;
/** Intervals reach their stated coverage from this many independent items. Simulation in README.md. */
const FEWEST_WITHOUT_WARNING = 50;

/** Agreement of raters by four measures, to be read together with the prevalence. */
export type Agreement = Computed<typeof computeAgreement>;

/**
 * Computes percent agreement, Cohen's kappa, Krippendorff's alpha, Gwet's AC1 and agreement per category.
 * @param options.categories - the closed scale, at least two, including unused ones
 * @returns `no-double-labels` without an item of two labels; a coefficient is `no-variation` where only one category was used, and
 * kappa's interval is `constant-rater` where one rater used a single category
 */
export function computeAgreement(
  items: readonly RatedItem[],
  options: ResampleOptions & { readonly categories: readonly string[] },
) {
  const { categories } = options;
  const q = categories.length;
  const places = new Map(categories.map((category, index) => [category, index]));
  const coded = items.map(({ labels }) =>
    labels.map((label) => (label === null ? null : (places.get(label) ?? null))),
  );
  const nRaters = coded.reduce((most, labels) => Math.max(most, labels.length), 0);
  const rows = sumByTask(
    items,
    coded.map((labels) => countItem(labels, q)),
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
    figures[1] = isPairOfRaters ? computeKappa(totals, q) : Number.NaN;
    figures[2] = computeAlpha(totals, q);
    figures[3] = computeAc1(totals, q);
    categories.forEach((_, k) => {
      figures[4 + 2 * k] = computeSpecificAgreement(totals, q, k);
      figures[5 + 2 * k] = computeCategoryAlpha(totals, q, k);
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
    /** Items with labels of at least two raters. AC1 uses the other items as well, for its expectation. */
    nPaired,
    nTasks,
    nRaters,
    nMissing: coded.flat().filter((label) => label === null).length,
    missing: "exclude",
    /**
     * Why intervals may cover less than 95 %: fewer than 50 items with two labels, or fewer than 50 tasks of such items, since tasks
     * are resampled whole.
     */
    warning: chooseWarning(nPaired, nTasks),
    percent: pick(0),
    /** `not-two-raters` unless items have exactly two entries. */
    kappa: isPairOfRaters
      ? explainBounds(pick(1), hasConstantRater(sums, q))
      : declareUnavailable("not-two-raters"),
    alpha: pick(2),
    ac1: pick(3),
    categories: categories.map((category, k) => ({
      category,
      /** Share of all labels of items with at least two labels. */
      prevalence: computePrevalence(sums, q, k),
      /** Share of other raters that name the category where one rater names it. */
      specific: pick(4 + 2 * k),
      alpha: pick(5 + 2 * k),
    })),
  } as const;
}

/** Kappa of a constant rater is 0 in every sample where it is defined, which carries no information about the tasks. */
function explainBounds(kappa: Coefficient | Unavailable, isConstant: boolean): Coefficient | Unavailable {
  if (!isConstant || kappa.kind === "unavailable") return kappa;
  const { bounds } = kappa;
  if (bounds.kind === "computed" || bounds.reason === "one-value") return kappa;
  return { ...kappa, bounds: declareUnavailable("constant-rater") };
}

function chooseWarning(nPaired: number, nTasks: number): "few-items" | "few-tasks" | null {
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

const FIXED = 3;
/**
 * A row has these columns for each category: share of the item's labels, labels, agreeing pairs, agreeing pairs of the other
 * categories. The joint table of the first two raters follows.
 */
const PER_CATEGORY = 4;

/** Returns the sums of one item. @param labels - index of each rater's category, null for none */
function countItem(labels: readonly (number | null)[], q: number): number[] {
  const row = new Array<number>(FIXED + PER_CATEGORY * q + q ** 2).fill(0);
  const given = labels.filter((label) => label !== null);
  const m = given.length;
  if (m === 0) return row;
  row[2] = 1;
  const isPaired = m >= 2;
  if (isPaired) row[0] = 1;
  for (let k = 0; k < q; k++) {
    const count = given.filter((label) => label === k).length;
    row[FIXED + k] = count / m;
    if (!isPaired) continue;
    const rest = m - count;
    row[1] = (row[1] ?? 0) + (count * (count - 1)) / (m * (m - 1));
    row[FIXED + q + k] = count;
    row[FIXED + 2 * q + k] = (count * (count - 1)) / (m - 1);
    row[FIXED + 3 * q + k] = (rest * (rest - 1)) / (m - 1);
  }
  const [first, second] = labels;
  if (first !== null && second !== null && first !== undefined && second !== undefined) {
    row[FIXED + PER_CATEGORY * q + first * q + second] = 1;
  }
  return row;
}

function read(sums: ArrayLike<number>, index: number): number {
  return sums[index] ?? 0;
}

/** Returns the mean share of agreeing rater pairs per item, 0 to 1; NaN without an item of two labels. */
function computePercentAgreement(sums: ArrayLike<number>): number {
  return read(sums, 1) / read(sums, 0);
}

/**
 * Returns Cohen's kappa of the first two raters over items that both labelled; NaN where chance alone would always agree.
 * @see Cohen, "A Coefficient of Agreement for Nominal Scales" (1960)
 */
function computeKappa(sums: ArrayLike<number>, q: number): number {
  const start = FIXED + PER_CATEGORY * q;
  let n = 0;
  let same = 0;
  let chance = 0;
  for (let k = 0; k < q; k++) {
    let first = 0;
    let second = 0;
    for (let l = 0; l < q; l++) {
      first += read(sums, start + k * q + l);
      second += read(sums, start + l * q + k);
    }
    n += first;
    same += read(sums, start + k * q + k);
    chance += first * second;
  }
  const expected = chance / n ** 2;
  return expected >= 1 ? Number.NaN : (same / n - expected) / (1 - expected);
}

/**
 * True if one of the first two raters gave all items labelled by both the same category, so that kappa is 0 or NaN in any sample.
 */
function hasConstantRater(sums: ArrayLike<number>, q: number): boolean {
  const start = FIXED + PER_CATEGORY * q;
  const used = [new Set<number>(), new Set<number>()] as const;
  for (let k = 0; k < q; k++)
    for (let l = 0; l < q; l++)
      if (read(sums, start + k * q + l) > 0) {
        used[0].add(k);
        used[1].add(l);
      }
  return used.some(({ size }) => size === 1);
}

/**
 * Returns Krippendorff's nominal alpha without items of one label; NaN where every label is the same.
 * @see Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011)
 */
function computeAlpha(sums: ArrayLike<number>, q: number): number {
  let n = 0;
  let squares = 0;
  let agreeing = 0;
  for (let k = 0; k < q; k++) {
    const count = read(sums, FIXED + q + k);
    n += count;
    squares += count * count;
    agreeing += read(sums, FIXED + 2 * q + k);
  }
  return relateToChance(n, squares, agreeing);
}

function computeCategoryAlpha(sums: ArrayLike<number>, q: number, category: number): number {
  const count = read(sums, FIXED + q + category);
  const n = countPairedLabels(sums, q);
  const agreeing = read(sums, FIXED + 2 * q + category) + read(sums, FIXED + 3 * q + category);
  return relateToChance(n, count ** 2 + (n - count) ** 2, agreeing);
}

function relateToChance(n: number, squares: number, agreeing: number): number {
  const chance = n * n - squares;
  return chance <= 0 ? Number.NaN : 1 - ((n - 1) * (n - agreeing)) / chance;
}

function countPairedLabels(sums: ArrayLike<number>, q: number): number {
  let n = 0;
  for (let k = 0; k < q; k++) n += read(sums, FIXED + q + k);
  return n;
}

/** Returns the share of those labels that name the category, 0 to 1; NaN without any label. */
function computePrevalence(sums: ArrayLike<number>, q: number, category: number): number {
  return read(sums, FIXED + q + category) / countPairedLabels(sums, q);
}

/**
 * Returns the share of the other raters' labels that name the category where one rater names it, 0 to 1; NaN where none names it.
 */
function computeSpecificAgreement(sums: ArrayLike<number>, q: number, category: number): number {
  return read(sums, FIXED + 2 * q + category) / read(sums, FIXED + q + category);
}

/**
 * Returns Gwet's AC1. Items with one label count towards the category shares, as in Gwet's own software.
 * @see Gwet, "Computing inter-rater reliability and its variance in the presence of high agreement" (2008)
 */
function computeAc1(sums: ArrayLike<number>, q: number): number {
  if (q < 2) return Number.NaN;
  const nRated = read(sums, 2);
  let spread = 0;
  for (let k = 0; k < q; k++) {
    const share = read(sums, FIXED + k) / nRated;
    spread += share * (1 - share);
  }
  const expected = spread / (q - 1);
  return (computePercentAgreement(sums) - expected) / (1 - expected);
}

export interface CategorizedItem {
  /** The bootstrap resamples the items of a task together. */
  readonly task: string;
  /** One entry per rater, in the same order in every item. Null means no judgment, an empty list means no category. */
  readonly given: readonly (readonly string[] | null)[];
}

const FEWEST_NAMED = 5;
const LABELS = ["given", "not given"];

/**
 * Computes the agreement on each category alone, as given or not given, over items that at least two raters judged. Uses
 * `computeAgreement`, with BCa by default: percentiles cover too rarely where few items have the category. The intervals do not
 * hold jointly.
 * @param options.categories - each once
 * @returns one entry per category, in the given order; its agreement is `no-double-labels` where no item was judged twice, and
 * `rare-category` where fewer than five such items have it
 * @remarks one bootstrap per category
 */
export function computeAgreementByCategory(
  items: readonly CategorizedItem[],
  options: ResampleOptions & { readonly categories: readonly string[] },
) {
  const paired = items.filter(({ given }) => given.filter((own) => own !== null).length >= 2);
  const nNamed = new Map<string, number>();
  for (const { given } of paired) {
    for (const category of new Set(given.flatMap((own) => own ?? []))) {
      nNamed.set(category, (nNamed.get(category) ?? 0) + 1);
    }
  }
  const compute = (category: string): Agreement | Unavailable => {
    if (paired.length === 0) return declareUnavailable("no-double-labels");
    if ((nNamed.get(category) ?? 0) < FEWEST_NAMED) return declareUnavailable("rare-category");
    const rated = paired.map(({ task, given }) => ({
      task,
      labels: given.map((own) => {
        if (own === null) return null;
        return own.includes(category) ? "given" : "not given";
      }),
    }));
    return computeAgreement(rated, { ...options, method: options.method ?? "bca", categories: LABELS });
  };
  return options.categories.map((category) => ({
    category,
    nPaired: paired.length,
    /** Items with the category from at least one rater. */
    nNamed: nNamed.get(category) ?? 0,
    agreement: compute(category),
  }));
}

export type CoOccurrence = Computed<typeof computeCoOccurrence>;

/**
 * Compares how often two marks occur together with what chance would give (Fisher's exact test, upper tail).
 * @param counts - whole numbers: rows with both marks, with the first, with the second, and all
 * @returns `no-values` where one of the marks is on no row
 * @see Fisher, "Statistical Methods for Research Workers", section 21.02
 */
export function computeCoOccurrence({
  nBoth,
  nFirst,
  nSecond,
  n,
}: {
  readonly nBoth: number;
  readonly nFirst: number;
  readonly nSecond: number;
  readonly n: number;
}) {
  if (nFirst <= 0 || nSecond <= 0) return declareUnavailable("no-values");
  return {
    kind: "computed",
    nBoth,
    /** Rows expected to have both marks if they were independent. */
    expected: (nFirst * nSecond) / n,
    /** Share of the rows with the first mark that also have the second, 0 to 1. */
    share: nBoth / nFirst,
    /** Chance of at least as many rows with both if the marks were assigned at random, more than 0. Assumes independent rows. */
    p: sumUpperTail(nBoth, nFirst, nSecond, n),
  } as const;
}

const NEGLIGIBLE = 1e-17;

/** Returns P(X >= from) of a hypergeometric X, by the ratios of neighbouring terms outwards from the most likely one. */
function sumUpperTail(from: number, nFirst: number, nSecond: number, n: number): number {
  const lowest = Math.max(0, nFirst + nSecond - n);
  const highest = Math.min(nFirst, nSecond);
  const mode = Math.min(highest, Math.floor(((nFirst + 1) * (nSecond + 1)) / (n + 2)));
  let all = 0;
  let tail = 0;
  const add = (k: number, term: number): void => {
    all += term;
    if (k >= from) tail += term;
  };
  let term = 1;
  for (let k = mode; k <= highest && (k <= from || term > tail * NEGLIGIBLE); k += 1) {
    add(k, term);
    term *= ((nFirst - k) * (nSecond - k)) / ((k + 1) * (n - nFirst - nSecond + k + 1));
  }
  term = 1;
  for (let k = mode; k > lowest && term > all * NEGLIGIBLE; k -= 1) {
    term *= (k * (n - nFirst - nSecond + k)) / ((nFirst - k + 1) * (nSecond - k + 1));
    add(k - 1, term);
  }
  return Math.max(Number.MIN_VALUE, Math.min(1, tail / all));
}
