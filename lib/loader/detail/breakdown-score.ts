import type { BreakdownDimension } from "@/lib/domain/breakdown";

/** The part of a dimension that a score decides. */
export type ScoreParts = Pick<
  BreakdownDimension,
  "score" | "scoreText" | "maxScore" | "normalised" | "clamped"
>;

/**
 * Score fields from a value as parsed. Booleans count as 0 and 1. `maxScore` null leaves the share unknown; a maximum of 0
 * or less has no share. Text such as `NaN` is kept in `scoreText` and is no number.
 */
export function readScore(value: unknown, maxScore: number | null): ScoreParts {
  const scoreText =
    value === null || value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);
  const number = typeof value === "boolean" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    return { score: null, scoreText, maxScore, normalised: null, clamped: false };
  }
  const share = maxScore === null || maxScore <= 0 ? null : clampShare(number / maxScore);
  return {
    score: number,
    scoreText,
    maxScore,
    normalised: share?.share ?? null,
    clamped: share?.clamped ?? false,
  };
}

/** A share cut to [0, 1], and whether it had to be cut. */
function clampShare(share: number): { readonly share: number; readonly clamped: boolean } {
  const cut = Math.min(1, Math.max(0, share));
  return { share: cut, clamped: cut !== share };
}

/** Text, else null; other values are written as JSON, and null stays null. */
export function textOrNull(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
