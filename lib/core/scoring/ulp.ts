const SIGN = 1n << 63n;

/** Returns the bits of a double as an integer that increases with the value; both zeros map to 0. */
function toOrdinal(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  return bits >= SIGN ? SIGN - bits : bits;
}

/** Returns how many doubles apart two values are, rounded beyond 2**53; null when only one is NaN or infinities differ. */
export function ulpDistance(a: number, b: number): number | null {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return null;
  const distance = toOrdinal(a) - toOrdinal(b);
  return Number(distance < 0n ? -distance : distance);
}

/** True if no arithmetic could distinguish two doubles: `-0` differs from `0`, NaN equals NaN. */
export function sameBits(a: number, b: number): boolean {
  return Object.is(a, b);
}
