import type { MarkVerdict } from "@/lib/domain/matrix-marks";

/** Returns the class for a step of the colour scale; null is an unknown amount. */
export function nameLevel(level: number | null): string {
  return level === null ? "mark-unknown" : `mark-level mark-level-${level}`;
}

export function nameVerdict(verdict: MarkVerdict): string {
  return `verdict-${verdict}`;
}
