import { createRandomSource } from "./random";

/** Differences up to this many are flipped in every possible way; beyond it flips are drawn. */
const EXACT_LIMIT = 20;
const MOST_DRAWS = 100_000;
const FEWEST_DRAWS = 10_000;
/** Signs drawn at most, so that thousands of tasks take no longer than hundreds. */
const MOST_SIGNS = 50_000_000;

/** A two-sided p value of the sign-flip test and how it was found. */
export interface SignFlipTest {
  /** More than 0, at most 1. */
  readonly p: number;
  /** The same with half the chance of a sum just as far from 0, see `McNemarTest.midP`; equal steps make `p` too careful. */
  readonly midP: number;
  readonly method: "exact" | "sampled";
  /** Sign patterns looked at. */
  readonly patterns: number;
  /** Null when every pattern was looked at. */
  readonly seed: number | null;
}

/**
 * The share of sign patterns whose sum lies at least as far from 0 as the observed one: a test that the differences are
 * symmetric around 0. Differences of 0 do not matter to it.
 *
 * @param differences - one per task; may be empty
 * @remarks 2^20 patterns at most when exact; 100,000 when drawn, from 500 tasks on as many as make 50 million signs, at least
 *   10,000
 */
export function computeSignFlipTest(differences: readonly number[], seed: number): SignFlipTest {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // Sums in another order differ in the last bits; a tie must stay a tie.
  const slack = 1e-9 * total;
  const reach = { atLeast: observed - slack, beyond: observed + slack };
  if (sizes.length === 0) return { p: 1, midP: 1, method: "exact", patterns: 1, seed: null };
  if (sizes.length <= EXACT_LIMIT) {
    const patterns = 2 ** sizes.length;
    const { nAtLeast, nBeyond } = countExact(sizes, total, reach);
    return {
      p: nAtLeast / patterns,
      midP: (nAtLeast + nBeyond) / 2 / patterns,
      method: "exact",
      patterns,
      seed: null,
    };
  }
  // The observed pattern counts as one of the draws, so that p is never 0.
  const draws = Math.min(MOST_DRAWS, Math.max(FEWEST_DRAWS, Math.floor(MOST_SIGNS / sizes.length)));
  const { nAtLeast, nBeyond } = countSampled(sizes, reach, seed, draws);
  return {
    p: (1 + nAtLeast) / (1 + draws),
    midP: (1 + nAtLeast + nBeyond) / 2 / (1 + draws),
    method: "sampled",
    patterns: draws,
    seed,
  };
}

/** How far a sum must lie from 0 to count as at least as far as the observed one, and as farther. */
interface Reach {
  readonly atLeast: number;
  readonly beyond: number;
}

interface Count {
  readonly nAtLeast: number;
  readonly nBeyond: number;
}

function countExact(sizes: readonly number[], total: number, { atLeast, beyond }: Reach): Count {
  const signs = new Int8Array(sizes.length).fill(1);
  let sum = total;
  let nAtLeast = Math.abs(sum) >= atLeast ? 1 : 0;
  let nBeyond = Math.abs(sum) > beyond ? 1 : 0;
  // Gray code: one sign changes from each pattern to the next, the one at the lowest set bit.
  for (let pattern = 1; pattern < 2 ** sizes.length; pattern++) {
    const flipped = 31 - Math.clz32(pattern & -pattern);
    const sign = -(signs[flipped] ?? 1);
    signs[flipped] = sign;
    sum += 2 * sign * (sizes[flipped] ?? 0);
    const distance = Math.abs(sum);
    if (distance >= atLeast) nAtLeast++;
    if (distance > beyond) nBeyond++;
  }
  return { nAtLeast, nBeyond };
}

function countSampled(
  sizes: readonly number[],
  { atLeast, beyond }: Reach,
  seed: number,
  draws: number,
): Count {
  const random = createRandomSource(seed);
  const cells = Float64Array.from(sizes);
  let nAtLeast = 0;
  let nBeyond = 0;
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let start = 0; start < cells.length; start += 32) {
      let bits = random.nextUint32();
      const end = Math.min(start + 32, cells.length);
      for (let i = start; i < end; i++) {
        sum += (bits & 1) === 1 ? (cells[i] ?? 0) : -(cells[i] ?? 0);
        bits >>>= 1;
      }
    }
    const distance = Math.abs(sum);
    if (distance >= atLeast) nAtLeast++;
    if (distance > beyond) nBeyond++;
  }
  return { nAtLeast, nBeyond };
}

/**
 * P values adjusted for having been looked at together, in the order given.
 *
 * @see Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (1979)
 */
export function adjustHolm(ps: readonly number[]): readonly number[] {
  const order = ps.map((_, index) => index).sort((a, b) => (ps[a] ?? 1) - (ps[b] ?? 1));
  const adjusted = new Array<number>(ps.length).fill(1);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, (ps[index] ?? 1) * (ps.length - rank)));
    adjusted[index] = largest;
  });
  return adjusted;
}
