import { declareUnavailable, type Unavailable } from "./unavailable";

export interface CoOccurrence {
  readonly kind: "computed";
  readonly nBoth: number;
  /** Rows expected to have both marks if they were independent. */
  readonly expected: number;
  /** Share of the rows with the first mark that also have the second, 0 to 1. */
  readonly share: number;
  /** Chance of at least as many rows with both if the marks were assigned at random, more than 0. Assumes independent rows. */
  readonly p: number;
}

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
}): CoOccurrence | Unavailable {
  if (nFirst <= 0 || nSecond <= 0) return declareUnavailable("no-values");
  return {
    kind: "computed",
    nBoth,
    expected: (nFirst * nSecond) / n,
    share: nBoth / nFirst,
    p: sumUpperTail(nBoth, nFirst, nSecond, n),
  };
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
