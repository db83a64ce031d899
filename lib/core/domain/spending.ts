import { sumTokens, type Trial } from "./trial";

export const SPENDING_MEASURES = ["cost", "time", "tokens"] as const;

export type SpendingMeasure = (typeof SPENDING_MEASURES)[number];

/** Returns US dollars; null if not reported, or if 0 although the result or the trajectory counts tokens. */
export function readCost({ tokens, traceTokens = null }: Spender): number | null {
  return tokens.costUsd === 0 && (sumTokens(tokens) || (traceTokens ?? 0)) > 0 ? null : tokens.costUsd;
}

export type Spender = Pick<Trial, "tokens"> & Partial<Pick<Trial, "traceTokens">>;
