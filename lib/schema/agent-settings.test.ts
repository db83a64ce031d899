import { expect, it } from "vitest";

import { readAgentSettings, readTargetUsage } from "./agent-settings";

const hash = (text: string) => `#${text.length}`;

it("lists what a config sets, by name, with equal texts for equal values", () => {
  const kwargs = { temperature: 0, reasoning_effort: "low", limits: { b: [1, "x"], a: null } };
  expect(readAgentSettings({ import_path: "my.agents:Codex", max_timeout_sec: null, kwargs }, hash)).toEqual([
    { name: "import_path", value: '"my.agents:Codex"' },
    { name: "kwargs.limits", value: '{"a": null, "b": [1, "x"]}' },
    { name: "kwargs.reasoning_effort", value: '"low"' },
    { name: "kwargs.temperature", value: "0" },
  ]);
});

it("leaves out what is not set, and options that are named like secrets", () => {
  const kwargs = { api_key: "k", auth_token: "t", OPENAI_API_KEY: "k", max_tokens: 5, seed: null };
  expect(readAgentSettings({ kwargs }, hash)).toEqual([{ name: "kwargs.max_tokens", value: "5" }]);
  expect(readAgentSettings({ kwargs: "not an object" }, hash)).toEqual([]);
});

it("knows a long value by its beginning and a hash, so that it is never taken for another", () => {
  const [setting] = readAgentSettings({ kwargs: { prompt: "x".repeat(500) } }, hash);
  expect(setting?.value).toBe(`"${"x".repeat(159)}… (#502)`);
});

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
