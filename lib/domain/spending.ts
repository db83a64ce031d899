import { sumTokens, type TrialRecord } from "./trial";

/** What an attempt spends: US dollars, milliseconds or tokens. */
export const SPENDING_MEASURES = ["cost", "time", "tokens"] as const;

export type SpendingMeasure = (typeof SPENDING_MEASURES)[number];

/** Returns the cost in US dollars; null if it is not reported, or if it is 0 although the result or the trajectory counts tokens. */
export function readCost({ tokens, traceTokens = null }: Spender): number | null {
  return tokens.costUsd === 0 && (sumTokens(tokens) || (traceTokens ?? 0)) > 0 ? null : tokens.costUsd;
}

export type Spender = Pick<TrialRecord, "tokens"> & Partial<Pick<TrialRecord, "traceTokens">>;
