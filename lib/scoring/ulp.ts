const SIGN = 1n << 63n;

/** The bits of a double as an integer that grows with the value; both zeros map to 0. */
function toOrdinal(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  return bits >= SIGN ? SIGN - bits : bits;
}

/**
 * How many doubles apart two values are.
 *
 * @returns 0 when equal (`0` and `-0` count as equal, as do two NaN), 1 for neighbours ...; null when only
 *   one is NaN, or when one is infinite and the other is not the same infinity
 * @remarks Exact up to 2**53, rounded beyond.
 * @example ulpDistance(0.3, 0.1 + 0.2) === 1
 */
export function ulpDistance(a: number, b: number): number | null {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return null;
  const distance = toOrdinal(a) - toOrdinal(b);
  return Number(distance < 0n ? -distance : distance);
}

/**
 * Whether two doubles are the same: `-0` differs from `0`, NaN equals NaN.
 *
 * @returns true when no arithmetic could tell them apart
 */
export function sameBits(a: number, b: number): boolean {
  return Object.is(a, b);
}
