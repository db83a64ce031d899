export interface AgreementShape {
  readonly nCategories: number;
  readonly nColumns: number;
}

const FIXED = 3;
/** Columns per category: share of the item's labels, labels, agreeing pairs, agreeing pairs of the other categories. */
const PER_CATEGORY = 4;

/** Returns the layout of a row for `nCategories` categories, with the joint table of at most two raters at the end. */
export function describeShape(nCategories: number): AgreementShape {
  return { nCategories, nColumns: FIXED + PER_CATEGORY * nCategories + nCategories ** 2 };
}

/** Returns the sums of one item. @param labels - index of each rater's category, null for none */
export function countItem(labels: readonly (number | null)[], shape: AgreementShape): number[] {
  const q = shape.nCategories;
  const row = new Array<number>(shape.nColumns).fill(0);
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
export function computePercentAgreement(sums: ArrayLike<number>): number {
  return read(sums, 1) / read(sums, 0);
}

/**
 * Returns Cohen's kappa of the first two raters over items that both labelled; NaN where chance alone would always agree.
 * @see Cohen, "A Coefficient of Agreement for Nominal Scales" (1960)
 */
export function computeKappa(sums: ArrayLike<number>, shape: AgreementShape): number {
  const q = shape.nCategories;
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
export function hasConstantRater(sums: ArrayLike<number>, shape: AgreementShape): boolean {
  const q = shape.nCategories;
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
export function computeAlpha(sums: ArrayLike<number>, shape: AgreementShape): number {
  const q = shape.nCategories;
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

export function computeCategoryAlpha(
  sums: ArrayLike<number>,
  shape: AgreementShape,
  category: number,
): number {
  const q = shape.nCategories;
  const count = read(sums, FIXED + q + category);
  const n = countPairedLabels(sums, shape);
  const agreeing = read(sums, FIXED + 2 * q + category) + read(sums, FIXED + 3 * q + category);
  return relateToChance(n, count ** 2 + (n - count) ** 2, agreeing);
}

function relateToChance(n: number, squares: number, agreeing: number): number {
  const chance = n * n - squares;
  return chance <= 0 ? Number.NaN : 1 - ((n - 1) * (n - agreeing)) / chance;
}

function countPairedLabels(sums: ArrayLike<number>, shape: AgreementShape): number {
  let n = 0;
  for (let k = 0; k < shape.nCategories; k++) n += read(sums, FIXED + shape.nCategories + k);
  return n;
}

/** Returns the share of those labels that name the category, 0 to 1; NaN without any label. */
export function computePrevalence(sums: ArrayLike<number>, shape: AgreementShape, category: number): number {
  return read(sums, FIXED + shape.nCategories + category) / countPairedLabels(sums, shape);
}

/**
 * Returns the share of the other raters' labels that name the category where one rater names it, 0 to 1; NaN where none names it.
 */
export function computeSpecificAgreement(
  sums: ArrayLike<number>,
  shape: AgreementShape,
  category: number,
): number {
  const q = shape.nCategories;
  return read(sums, FIXED + 2 * q + category) / read(sums, FIXED + q + category);
}

/**
 * Returns Gwet's AC1. Items with one label count towards the category shares, as in Gwet's own software.
 * @see Gwet, "Computing inter-rater reliability and its variance in the presence of high agreement" (2008)
 */
export function computeAc1(sums: ArrayLike<number>, shape: AgreementShape): number {
  const q = shape.nCategories;
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
