import { createRandomSource } from "./random";

/** Differences that are not multiples of one step: every sign pattern is tried up to this many, beyond it patterns are drawn. */
const EXACT_LIMIT = 20;
/** Differences of shares of attempts are multiples of one over this or less. */
const MOST_STEPS = 1000;
/** Beyond it powers of one half underflow. */
const MOST_COUNTED = 1000;
const MOST_SUMS = 20_000_000;
const MOST_DRAWS = 100_000;
const FEWEST_DRAWS = 10_000;
/** Caps drawn signs, so that thousands of tasks take no longer than hundreds. */
const MOST_SIGNS = 50_000_000;

export interface SignFlipTest {
  /** More than 0, at most 1. */
  readonly p: number;
  /** The same with half the chance of an equally distant sum, see `McNemarTest.midP`; equal steps make `p` too conservative. */
  readonly midP: number;
  readonly method: "exact" | "sampled";
  readonly patterns: number;
  /** Null if every pattern was counted. */
  readonly seed: number | null;
}

/**
 * Computes the share of sign patterns whose sum is at least as far from 0 as the observed one. Differences of 0 do not matter.
 * @remarks Multiples of one step are counted by their sum: O(tasks x distinct sums). Others: every pattern up to 20 tasks, else
 * 10,000 to 100,000 draws
 */
export function computeSignFlipTest(differences: readonly number[], seed: number): SignFlipTest {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // Sums in another order differ in the last bits; a tie must stay a tie.
  const slack = 1e-9 * total;
  const reach = { atLeast: observed - slack, beyond: observed + slack };
  const counted = countEvery(sizes, reach);
  if (counted !== null) return counted;
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

/** Does the same where every pattern can be counted; null where patterns would have to be drawn. */
export function computeExactSignFlip(differences: readonly number[], mostSums: number): SignFlipTest | null {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  const slack = 1e-9 * sizes.reduce((sum, size) => sum + size, 0);
  return countEvery(sizes, { atLeast: observed - slack, beyond: observed + slack }, mostSums);
}

function countEvery(sizes: readonly number[], reach: Reach, mostSums = MOST_SUMS): SignFlipTest | null {
  if (sizes.length === 0) return { p: 1, midP: 1, method: "exact", patterns: 1, seed: null };
  const counted = countMultiples(sizes, (reach.atLeast + reach.beyond) / 2, mostSums);
  if (counted !== null || sizes.length > EXACT_LIMIT) return counted;
  const patterns = 2 ** sizes.length;
  const { nAtLeast, nBeyond } = countExact(sizes, reach);
  return {
    p: nAtLeast / patterns,
    midP: (nAtLeast + nBeyond) / 2 / patterns,
    method: "exact",
    patterns,
    seed: null,
  };
}

/** Computes the test where all sizes are multiples of one step; null where they are not, or are too many. */
function countMultiples(sizes: readonly number[], observed: number, mostSums: number): SignFlipTest | null {
  if (sizes.length > MOST_COUNTED) return null;
  const perUnit = findSteps(sizes);
  if (perUnit === null) return null;
  const steps = sizes.map((size) => Math.round(size * perUnit));
  const total = steps.reduce((sum, size) => sum + size, 0);
  if (total * steps.length > mostSums) return null;
  const distance = Math.round(observed * perUnit);
  // The chance of each sum of the sizes whose sign is plus.
  const chances = new Float64Array(total + 1);
  chances[0] = 1;
  let reached = 0;
  for (const size of steps) {
    reached += size;
    for (let sum = reached; sum >= 0; sum--)
      chances[sum] = ((chances[sum] ?? 0) + (sum >= size ? (chances[sum - size] ?? 0) : 0)) / 2;
  }
  let [atLeast, beyond] = [0, 0];
  for (let plus = 0; plus <= total; plus++) {
    const far = Math.abs(2 * plus - total);
    if (far >= distance) atLeast += chances[plus] ?? 0;
    if (far > distance) beyond += chances[plus] ?? 0;
  }
  return {
    p: Math.min(1, atLeast),
    midP: Math.min(1, (atLeast + beyond) / 2),
    method: "exact",
    patterns: 2 ** sizes.length,
    seed: null,
  };
}

/** Returns the smallest number of steps per unit that divides every size; null if none is found. */
function findSteps(sizes: readonly number[]): number | null {
  const isMultiple = (size: number, perUnit: number) => {
    const steps = Math.round(size * perUnit);
    return steps > 0 && Math.abs(size * perUnit - steps) <= 1e-9 * steps;
  };
  for (let perUnit = 1; perUnit <= MOST_STEPS; perUnit++)
    if (sizes.every((size) => isMultiple(size, perUnit))) return perUnit;
  return null;
}

interface Reach {
  readonly atLeast: number;
  readonly beyond: number;
}

/** Counts patterns as pairs of patterns of both halves, each half sorted by its sum. */
function countExact(sizes: readonly number[], { atLeast, beyond }: Reach) {
  const half = Math.floor(sizes.length / 2);
  const [left, right] = [listSums(sizes.slice(0, half)), listSums(sizes.slice(half))];
  const count = (limit: number) => {
    if (limit <= 0) return left.length * right.length;
    let n = 0;
    let from = right.length;
    for (const sum of left) {
      while (from > 0 && sum + (right[from - 1] ?? 0) >= limit) from--;
      n += right.length - from;
    }
    // Each pattern has a mirror image with every sign flipped.
    return 2 * n;
  };
  return { nAtLeast: count(atLeast), nBeyond: count(beyond) };
}

function listSums(sizes: readonly number[]): Float64Array {
  const sums = sizes.reduce((known, size) => known.flatMap((sum) => [sum + size, sum - size]), [0]);
  return Float64Array.from(sums).sort();
}

function countSampled(sizes: readonly number[], { atLeast, beyond }: Reach, seed: number, draws: number) {
  const random = createRandomSource(seed);
  const sums = sumEverySign(sizes);
  let nAtLeast = 0;
  let nBeyond = 0;
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let start = 0; start < sums.length;) {
      let bits = random.nextUint32();
      for (const end = start + (32 / SIGNS) * PATTERNS; start < end; start += PATTERNS) {
        sum += sums[start + (bits & (PATTERNS - 1))] ?? 0;
        bits >>>= SIGNS;
      }
    }
    const distance = Math.abs(sum);
    if (distance >= atLeast) nAtLeast++;
    if (distance > beyond) nBeyond++;
  }
  return { nAtLeast, nBeyond };
}

/** Signs looked up together, and the number of their patterns. */
const SIGNS = 8;
const PATTERNS = 2 ** SIGNS;

/** Returns the sums of each eight sizes under every sign pattern, plus where a bit is set, padded to whole words of 32 signs. */
function sumEverySign(sizes: readonly number[]): Float64Array {
  const nWords = Math.ceil(sizes.length / 32);
  return Float64Array.from({ length: nWords * (32 / SIGNS) * PATTERNS }, (_, at) => {
    const first = Math.floor(at / PATTERNS) * SIGNS;
    let sum = 0;
    for (let sign = 0; sign < SIGNS; sign++) {
      const size = sizes[first + sign] ?? 0;
      sum += ((at >>> sign) & 1) === 1 ? size : -size;
    }
    return sum;
  });
}
