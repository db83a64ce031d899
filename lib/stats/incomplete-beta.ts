const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** Natural logarithm of the gamma function for x > 0, by Lanczos's approximation with g = 7 and nine terms. */
function computeLogGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - computeLogGamma(1 - x);
  const shifted = x - 1;
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += (LANCZOS[i] ?? 0) / (shifted + i);
  const t = shifted + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** What Stirling's formula for log-gamma leaves out, to 1e-13 for x >= 10. */
function computeStirlingRest(x: number): number {
  const inverseSquare = 1 / (x * x);
  return (
    (1 / 12 -
      inverseSquare *
        (1 / 360 - inverseSquare * (1 / 1260 - inverseSquare * (1 / 1680 - inverseSquare / 1188)))) /
    x
  );
}

/** Natural logarithm of the beta function B(a, b), for a > 0 and b > 0. */
export function computeLogBeta(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  if (large < 10) return computeLogGamma(a) + computeLogGamma(b) - computeLogGamma(a + b);
  // Two large log-gammas would cancel and lose digits, so their difference is written out.
  const difference =
    small -
    small * Math.log(large) -
    (large + small - 0.5) * Math.log1p(small / large) +
    computeStirlingRest(large) -
    computeStirlingRest(large + small);
  return computeLogGamma(small) + difference;
}

/**
 * Regularised incomplete beta function I_x(a, b), the probability that a Beta(a, b) variable is at most x.
 *
 * @param x - 0 to 1
 * @param y - 1 - x, given apart so that neither tail loses digits
 * @param logBeta - {@link computeLogBeta} of a and b
 * @returns 0 to 1
 * @see NIST DLMF 8.17.22, evaluated by the modified Lentz method
 */
export function computeIncompleteBeta(a: number, b: number, x: number, y: number, logBeta: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log(y) - logBeta);
  // The fraction converges fast below the mean; above it the other tail is summed.
  return x < (a + 1) / (a + b + 2)
    ? (front * sumBetaFraction(a, b, x)) / a
    : 1 - (front * sumBetaFraction(b, a, y)) / b;
}

const SMALLEST = 1e-300;
const MAX_TERMS = 20_000;

function sumBetaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / keepFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / keepFromZero(1 + even * d);
    c = keepFromZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / keepFromZero(1 + odd * d);
    c = keepFromZero(1 + odd / c);
    const factor = d * c;
    fraction *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return fraction;
}

function keepFromZero(value: number): number {
  return Math.abs(value) < SMALLEST ? SMALLEST : value;
}
