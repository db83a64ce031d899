import { declareUnavailable, type Unavailable } from "./unavailable";

/** How often two marks stand on the same rows. */
export interface CoOccurrence {
  readonly kind: "computed";
  readonly nBoth: number;
  /** Rows with both that chance alone would give, were the marks independent. */
  readonly expected: number;
  /** Of the rows with the first mark, the share that has the second, 0 to 1. */
  readonly share: number;
  /** Chance of as many rows with both, or more, were the marks dealt out at random; more than 0. Takes the rows for independent. */
  readonly p: number;
}

/**
 * Compares how often two marks stand together with what chance would give (Fisher's exact test, upper tail).
 *
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

/** Terms below this part of the sum change no digit of it. */
const NEGLIGIBLE = 1e-17;

/** P(X >= from) of a hypergeometric X, by the ratios of neighbouring terms outwards from the most likely one. */
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
