import type { MarkVerdict } from "@/lib/core/domain/matrix-marks";

export function nameLevel(level: number | null): string {
  return level === null ? "mark-unknown" : `mark-level mark-level-${level}`;
}

export function nameVerdict(verdict: MarkVerdict): string {
  return `verdict-${verdict}`;
}
