import { oncePer } from "@/lib/core/domain/once-per";
import { dumpPythonJson, isPyNumber, sameBits, ulpDistance } from "@/lib/core/scoring";
import type { PyNumber, PyValue } from "@/lib/core/scoring";

/** Numbers further apart are different, not different roundings of one. */
export const MAX_ULPS = 16;

export interface NumberComparison {
  readonly verdict: "exact" | "ulp" | "mismatch";
  readonly ulps: number | null;
}

const EXACT: NumberComparison = { verdict: "exact", ulps: null };
const MISMATCH: NumberComparison = { verdict: "mismatch", ulps: null };

/**
 * Compares a recorded value with a recomputed number. `exact`: the same bits, or an int and a float of one value, since JSON
 * writers differ on `1` and `1.0`. `ulp`: within {@link MAX_ULPS}. Else, and for a non-number, `mismatch`.
 */
export function compareNumbers(recorded: PyValue, recomputed: PyNumber): NumberComparison {
  if (!isPyNumber(recorded)) return MISMATCH;
  if (typeof recorded !== "number" && typeof recomputed !== "number") {
    return BigInt(recorded) === BigInt(recomputed) ? EXACT : MISMATCH;
  }
  const a = toExactDouble(recorded);
  const b = toExactDouble(recomputed);
  if (a === null || b === null) return MISMATCH;
  if (sameBits(a, b)) return EXACT;
  const distance = ulpDistance(a, b);
  return distance === null || distance > MAX_ULPS ? MISMATCH : { verdict: "ulp", ulps: distance };
}

/** Null for an int that no double represents. */
function toExactDouble(value: PyNumber): number | null {
  const double = Number(value);
  if (typeof value !== "bigint") return double;
  return Number.isFinite(double) && BigInt(double) === value ? double : null;
}

export function formatPython(value: PyValue | undefined): string | null {
  if (value === undefined) return null;
  return value instanceof Map ? dumpMap(value) : dumpPythonJson(value);
}

/** For rewards: trials with equal rewards share one object. */
const dumpMap = oncePer((value: PyValue & object) => dumpPythonJson(value));
