import { readJsonInput } from "./json-input";
import type { Judgment } from "./types";

/** A reviewer's judgment of a trial whose right judgment is known. */
export interface CalibrationCase {
  readonly judgment: Judgment;
  /** The known judgment; without one the case does not count. */
  readonly reference?: Judgment | null | undefined;
  /** `false` leaves the case out. */
  readonly is_calibration?: boolean | undefined;
  /** Cases of another version than the one asked for are left out. */
  readonly calibration_version?: string | null | undefined;
  /** `false` leaves the case out. */
  readonly in_references?: boolean | undefined;
}

/** Options of {@link calibrate}. */
export interface CalibrationOptions {
  /** Only cases of this version count; by default all do. */
  readonly calibration_version?: string | undefined;
  /** Least share of matches that passes; default 0.8. */
  readonly pass_threshold?: number | undefined;
}

/** How far a reviewer agrees with the known judgments. */
export interface Calibration {
  total_cases: number;
  /** From 0 to 1; 0.0 without a case. */
  agreement_rate: number;
  passed: boolean;
  status: "calibrated" | "provisional";
}

const PASS_THRESHOLD = 0.8;

/** A reviewer's calibration: judgments are compared, categories are not. No case means not passed. Never throws. */
export function calibrate(cases: readonly CalibrationCase[], options: CalibrationOptions = {}): Calibration {
  const input = readJsonInput(cases);
  const given = input.ok && Array.isArray(input.value) ? input.value : [];
  let total = 0;
  let matches = 0;
  for (const item of given) {
    if (typeof item !== "object" || item === null || Array.isArray(item)) continue;
    const { judgment, reference, is_calibration: isMeant, in_references: isKnown, calibration_version: version } = item;
    const isOther =
      options.calibration_version !== undefined && version !== undefined && version !== options.calibration_version;
    if (isMeant === false || isKnown === false || isOther) continue;
    if (typeof judgment !== "string" || typeof reference !== "string") continue;
    total++;
    if (judgment === reference) matches++;
  }
  const rate = total === 0 ? 0 : matches / total;
  const passed = total > 0 && rate >= (options.pass_threshold ?? PASS_THRESHOLD);
  return { total_cases: total, agreement_rate: rate, passed, status: passed ? "calibrated" : "provisional" };
}
