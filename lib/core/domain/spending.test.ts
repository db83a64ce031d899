import { expect, it } from "vitest";

import { readCost } from "./spending";
import { type TokenUsage } from "./trial";

const usage = (over: Partial<TokenUsage>): TokenUsage => ({
  inputTokens: null,
  cacheTokens: null,
  outputTokens: null,
  costUsd: 0,
  ...over,
});

it.each<[string, TokenUsage, number | null]>([
  ["0 with tokens is unknown", usage({ outputTokens: 5 }), null],
  ["0 without tokens is 0", usage({ inputTokens: 0, outputTokens: 0 }), 0],
  ["0 with tokens not reported is 0", usage({}), 0],
  ["a price with tokens is that price", usage({ inputTokens: 5, costUsd: 0.2 }), 0.2],
  ["no price is unknown", usage({ costUsd: null }), null],
])("%s", (_, given, cost) => {
  expect(readCost({ tokens: given })).toBe(cost);
});

it("takes 0 as unknown where only the trajectory counts tokens", () => {
  const tokens = usage({ inputTokens: 0, outputTokens: 0 });
  expect(readCost({ tokens, traceTokens: 10 })).toBeNull();
  expect(readCost({ tokens, traceTokens: 0 })).toBe(0);
});
