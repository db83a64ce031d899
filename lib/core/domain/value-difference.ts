/** Returns `a` minus `b`; null if either is unknown or the difference is not finite. */
export function computeDifference(a: number | null, b: number | null): number | null {
  const difference = a === null || b === null ? Number.NaN : a - b;
  return Number.isFinite(difference) ? difference : null;
}
