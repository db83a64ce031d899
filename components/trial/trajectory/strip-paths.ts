/** Lane height in its own units; a column is one unit wide. */
export const LANE_HEIGHT = 18;

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
  return counts.map((n, at) => (n === 0 ? "" : `M${at + 0.5} 2v${LANE_HEIGHT - 4}`)).join("");
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
