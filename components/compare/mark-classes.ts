import type { MarkVerdict } from "@/lib/domain/matrix-marks";

/** The class of a mark at a step of the scale that marks are coloured by; null is an amount that nobody knows. */
export function nameLevel(level: number | null): string {
  return level === null ? "mark-unknown" : `mark-level mark-level-${level}`;
}

/** The class of a mark that reviewers judged. */
export function nameVerdict(verdict: MarkVerdict): string {
  return `verdict-${verdict}`;
}
