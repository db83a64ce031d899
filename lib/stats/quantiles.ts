import { computeIncompleteBeta, computeLogBeta } from "./incomplete-beta";

type Coefficients = readonly [number, ...number[]];

const CENTRAL_ABOVE: Coefficients = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.693765509461,
  1971.5909503065514, 133.14166789178438, 3.3871328727963665,
];
const CENTRAL_BELOW: Coefficients = [
  5226.495278852546, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
];
const TAIL_ABOVE: Coefficients = [
  7.745450142783414e-4, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
];
const TAIL_BELOW: Coefficients = [
  1.0507500716444169e-9, 5.475938084995345e-4, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
];
const FAR_ABOVE: Coefficients = [
  2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
  0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
];
const FAR_BELOW: Coefficients = [
  2.0442631033899397e-15, 1.4215117583164459e-7, 1.8463183175100548e-5, 7.868691311456133e-4,
  0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
];

function evaluatePolynomial(coefficients: Coefficients, x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient);
}

/**
 * The standard normal value below which a share `p` lies.
 *
 * @param p - strictly between 0 and 1
 * @see Wichura, algorithm AS 241 (PPND16), Applied Statistics 37 (1988) 477-484
 */
export function computeNormalQuantile(p: number): number {
  const centred = p - 0.5;
  if (Math.abs(centred) <= 0.425) {
    const r = 0.180625 - centred * centred;
    return (centred * evaluatePolynomial(CENTRAL_ABOVE, r)) / evaluatePolynomial(CENTRAL_BELOW, r);
  }
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p)));
  const distance =
    r <= 5
      ? evaluatePolynomial(TAIL_ABOVE, r - 1.6) / evaluatePolynomial(TAIL_BELOW, r - 1.6)
      : evaluatePolynomial(FAR_ABOVE, r - 5) / evaluatePolynomial(FAR_BELOW, r - 5);
  return centred < 0 ? -distance : distance;
}

/**
 * The value of Student's t below which a share `p` lies.
 *
 * @param p - strictly between 0 and 1
 * @param df - degrees of freedom, more than 0
 */
export function computeTQuantile(p: number, df: number): number {
  if (p === 0.5) return 0;
  const tail = Math.min(p, 1 - p);
  const logBeta = computeLogBeta(df / 2, 0.5);
  const computeTail = (t: number) =>
    computeIncompleteBeta(df / 2, 0.5, df / (df + t * t), (t * t) / (df + t * t), logBeta) / 2;
  const computeDensity = (t: number) =>
    Math.exp(-((df + 1) / 2) * Math.log1p((t * t) / df) - logBeta) / Math.sqrt(df);
  let high = 1;
  while (computeTail(high) > tail) high *= 2;
  const t = solveIncreasing((x) => tail - computeTail(x), computeDensity, 0, high);
  return p < 0.5 ? -t : t;
}

/**
 * The value of a Beta(a, b) variable below which a share `p` lies, 0 to 1.
 *
 * @param p - 0 to 1
 * @param a - first shape, more than 0
 * @param b - second shape, more than 0
 */
export function computeBetaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  const logBeta = computeLogBeta(a, b);
  return solveIncreasing(
    (x) => computeIncompleteBeta(a, b, x, 1 - x, logBeta) - p,
    (x) => Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta),
    0,
    1,
  );
}

/** The root of an increasing function in a bracket: Newton's steps, halving whenever a step would leave the bracket. */
function solveIncreasing(
  computeValue: (x: number) => number,
  computeSlope: (x: number) => number,
  from: number,
  to: number,
): number {
  let low = from;
  let high = to;
  let x = (low + high) / 2;
  for (let round = 0; round < 400; round++) {
    const value = computeValue(x);
    if (value === 0) return x;
    if (value < 0) low = x;
    else high = x;
    const step = x - value / computeSlope(x);
    const next = step > low && step < high ? step : (low + high) / 2;
    if (Math.abs(next - x) <= 2e-16 * Math.abs(next)) return next;
    x = next;
  }
  return x;
}
