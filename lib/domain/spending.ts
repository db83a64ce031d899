import { sumTokens, type TokenUsage } from "./trial";

/** What an attempt spends: US dollars, milliseconds or tokens. */
export const SPENDING_MEASURES = ["cost", "time", "tokens"] as const;

export type SpendingMeasure = (typeof SPENDING_MEASURES)[number];

/** Returns a cost in US dollars; null where none is reported, and for 0 with tokens, which no provider reports as a price. */
export function readCost(usage: TokenUsage): number | null {
  return usage.costUsd === 0 && (sumTokens(usage) ?? 0) > 0 ? null : usage.costUsd;
}
