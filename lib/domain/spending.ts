/** What an attempt spends: US dollars, milliseconds or tokens. */
export const SPENDING_MEASURES = ["cost", "time", "tokens"] as const;

export type SpendingMeasure = (typeof SPENDING_MEASURES)[number];
