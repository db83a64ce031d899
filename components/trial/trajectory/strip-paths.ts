import type { StripColumn } from "@/lib/read/trial-reading";

/** Lane height in its own units; a column is one unit wide. */
export const LANE_HEIGHT = 18;

export function drawSteps(columns: readonly StripColumn[]): string {
  return columns
    .map(({ isSpokenTo }, at) => `M${at + 0.1} ${LANE_HEIGHT}v-${isSpokenTo ? 14 : 5}h.8V${LANE_HEIGHT}z`)
    .join("");
}

/** Draws a bar per column by the square root of its amount, so that small ones stay visible. */
export function drawBars(amounts: readonly (number | null)[]): string {
  const most = Math.max(...amounts.map((amount) => amount ?? 0));
  return amounts
    .map((amount, at) => {
      if (amount === null || amount <= 0) return "";
      const height = round(Math.max(1, LANE_HEIGHT * Math.sqrt(amount / most)));
      return `M${at + 0.1} ${LANE_HEIGHT}v-${height}h.8v${height}z`;
    })
    .join("");
}

export function drawArea(amounts: readonly (number | null)[]): string {
  const most = Math.max(...amounts.map((amount) => amount ?? 0));
  return amounts
    .map((amount, at) => {
      if (amount === null || amount <= 0) return "";
      const height = round((LANE_HEIGHT * amount) / most);
      return `M${at} ${LANE_HEIGHT}v-${height}h1v${height}z`;
    })
    .join("");
}

export function drawTicks(counts: readonly number[]): string {
  return counts.map((n, at) => (n === 0 ? "" : `M${at + 0.1} 4h.8v10h-.8z`)).join("");
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
