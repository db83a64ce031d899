import { expect, it } from "vitest";

import { readAgentSettings } from "./environment";

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
  expect(readAgentSettings({ kwargs: { env: { A: "x" }, proxy: { apiKey: "x", port: 1 } } }, hash)).toEqual([
    { name: "kwargs.proxy", value: '{"port": 1}' },
  ]);
  expect(readAgentSettings({ kwargs: "not an object" }, hash)).toEqual([]);
});

it("knows a long value by its beginning and a hash, so that it is never taken for another", () => {
  const [setting] = readAgentSettings({ kwargs: { prompt: "x".repeat(500) } }, hash);
  expect(setting?.value).toBe(`"${"x".repeat(159)}… (#502)`);
});
