import { expect, it } from "vitest";

import { readTargetUsage } from "./target-usage";

it.each([
  [{ inputTokens: 12, outputTokens: 3, cachedTokens: 4 }, 12, 4, 3],
  [{ input_tokens: 12, output_tokens: 3, cached_read_tokens: 4 }, 12, 4, 3],
  [{ totalTokens: 15 }, null, null, null],
  [{ inputTokens: "12", outputTokens: -1 }, null, null, null],
])("reads what the target used from %o", (usage, inputTokens, cacheTokens, outputTokens) => {
  expect(readTargetUsage({ acp_target_usage: usage })).toEqual({
    inputTokens,
    cacheTokens,
    outputTokens,
    costUsd: null,
  });
});

it.each([undefined, null, "text", {}, { acp_target_usage: [1] }])("knows nothing of %o", (metadata) => {
  expect(Object.values(readTargetUsage(metadata))).toEqual([null, null, null, null]);
});
