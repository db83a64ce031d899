import { readObject, readObjects } from "./json-input";
import type { Judgment } from "./types";

/** A reviewer's judgment of a trial with a known reference judgment. */
export interface CalibrationCase {
  readonly judgment: Judgment;
  /** Without a reference the case does not count. */
  readonly reference?: Judgment | null | undefined;
  /** `false` excludes the case. */
  readonly is_calibration?: boolean | undefined;
  /** Cases of another version than the requested one are excluded. */
  readonly calibration_version?: string | null | undefined;
  /** `false` excludes the case. */
  readonly in_references?: boolean | undefined;
}

export interface CalibrationOptions {
  /** Only cases of this version count; default: all. */
  readonly calibration_version?: string | undefined;
  /** Least share of matches that passes; default 0.8. */
  readonly pass_threshold?: number | undefined;
}

export interface Calibration {
  total_cases: number;
  /** 0 to 1; 0.0 without a case. */
  agreement_rate: number;
  passed: boolean;
  status: "calibrated" | "provisional";
}

const PASS_THRESHOLD = 0.8;

/** Computes a reviewer's calibration from judgments, without categories. Without a case it is not passed. Never throws. */
export function calibrate(cases: readonly CalibrationCase[], options?: CalibrationOptions): Calibration {
  const { calibration_version: version, pass_threshold: threshold } = readObject(options);
  const given = readObjects(cases).filter(
    ({ judgment, reference, is_calibration: isMeant, in_references: isKnown, calibration_version: own }) =>
      typeof judgment === "string" &&
      typeof reference === "string" &&
      isMeant !== false &&
      isKnown !== false &&
      (version === undefined || own === undefined || own === version),
  );
  const matches = given.filter(({ judgment, reference }) => judgment === reference).length;
  const rate = given.length === 0 ? 0 : matches / given.length;
  const passed = given.length > 0 && rate >= (typeof threshold === "number" ? threshold : PASS_THRESHOLD);
  return {
    total_cases: given.length,
    agreement_rate: rate,
    passed,
    status: passed ? "calibrated" : "provisional",
  };
}
