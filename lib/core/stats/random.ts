export interface RandomSource {
  /** A whole number from 0 to 2^32 - 1. */
  readonly nextUint32: () => number;
}

export const RANDOM_NAME: string = "xoshiro128**";

export const DEFAULT_SEED = 20_251_114;

/**
 * Creates the generator xoshiro128** from four words of state, not all 0.
 * @see Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators" (2021), https://prng.di.unimi.it/xoshiro128starstar.c
 */
export function createXoshiro128(state: readonly [number, number, number, number]): RandomSource {
  let [a, b, c, d] = state;
  return {
    nextUint32: () => {
      const scrambled = Math.imul(b, 5);
      const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = (d << 11) | (d >>> 21);
      return result;
    },
  };
}

/** Creates xoshiro128** with its state filled from a 32-bit seed by the finaliser of MurmurHash3 over a Weyl sequence. */
export function createRandomSource(seed: number): RandomSource {
  let weyl = seed >>> 0;
  const nextWord = () => {
    weyl = (weyl + 0x9e3779b9) | 0;
    let word = Math.imul(weyl ^ (weyl >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return (word ^ (word >>> 16)) >>> 0;
  };
  return createXoshiro128([nextWord(), nextWord(), nextWord(), nextWord()]);
}

/** Returns a whole number from 0 to n - 1, uniformly; `n` is 1 to 2^32. */
function drawBelow(random: RandomSource, n: number): number {
  // The remainder after whole rounds of n would favour small numbers, so those draws are rejected.
  const whole = 2 ** 32 - (2 ** 32 % n);
  for (;;) {
    const word = random.nextUint32();
    if (word < whole) return word % n;
  }
}

/**
 * Returns the values in an order drawn uniformly.
 * @see Durstenfeld, "Algorithm 235: Random Permutation" (1964)
 */
export function shuffle<T>(random: RandomSource, values: readonly T[]): T[] {
  const order = Array.from(values.keys());
  for (let last = order.length - 1; last > 0; last--) {
    const other = drawBelow(random, last + 1);
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return order.flatMap((place) => values.slice(place, place + 1));
}
