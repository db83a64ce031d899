import type { RandomSource } from "@/lib/core/stats/random";

export function drawShare(random: RandomSource): number {
  return random.nextUint32() / 2 ** 32;
}

/** Box and Muller. */
export function drawNormal(random: RandomSource): number {
  return Math.sqrt(-2 * Math.log(1 - drawShare(random))) * Math.cos(2 * Math.PI * drawShare(random));
}

/** A Gamma(shape, 1) number, by Marsaglia and Tsang (2000). */
function drawGamma(random: RandomSource, shape: number): number {
  if (shape < 1) return drawGamma(random, shape + 1) * (1 - drawShare(random)) ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = drawNormal(random);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - drawShare(random)) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/**
 * Draws a task's solve rate from Beta with mean `rate`, whose attempts correlate by `correlation`; `rate` itself where that is 0.
 */
export function drawRate(random: RandomSource, rate: number, correlation: number): number {
  if (correlation === 0) return rate;
  const size = 1 / correlation - 1;
  const a = drawGamma(random, rate * size);
  const b = drawGamma(random, (1 - rate) * size);
  // Both underflow for very small shapes: then the rate is 0 or 1, with `rate` as the chance of 1.
  return a + b > 0 ? a / (a + b) : Number(drawShare(random) < rate);
}

export function drawPasses(random: RandomSource, n: number, rate: number): number {
  let passes = 0;
  for (let attempt = 0; attempt < n; attempt++) if (drawShare(random) < rate) passes++;
  return passes;
}

export function toValues(tasks: readonly { task: string; n: number; c: number }[]) {
  return tasks.map(({ task, n, c }) => ({
    task,
    values: Array.from({ length: n }, (_, index) => (index < c ? 1 : 0)),
  }));
}
