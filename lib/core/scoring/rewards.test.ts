import { describe, expect, it } from "vitest";

import { decodePythonText, readRewardFiles } from "./rewards";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("readRewardFiles", () => {
  it("prefers reward.json and takes it verbatim", () => {
    const result = readRewardFiles({ json: bytes('{"a": 1}'), text: bytes("0.5") });
    expect(result).toEqual({ ok: true, rewards: new Map([["a", 1n]]) });
    expect(readRewardFiles({ json: bytes("null"), text: null })).toEqual({ ok: true, rewards: null });
  });

  it("reads reward.txt as one float", () => {
    expect(readRewardFiles({ json: null, text: bytes(" 1\r\n") })).toEqual({
      ok: true,
      rewards: new Map([["reward", 1]]),
    });
  });

  it.each([
    [null, null, "RewardFileNotFoundError", "harbor_reward_missing"],
    [null, "", "RewardFileEmptyError", "harbor_reward_empty"],
    ["", "1", "RewardFileEmptyError", "harbor_reward_empty"],
    [null, " ", "VerifierOutputParseError", "harbor_reward_parse_error"],
    ["{", "1", "VerifierOutputParseError", "harbor_reward_parse_error"],
    ["[".repeat(5000), null, "RecursionError", "harbor_reward_parse_error"],
  ])("json %j, text %j: %s", (json, text, name, reasonCode) => {
    const result = readRewardFiles({
      json: json === null ? null : bytes(json),
      text: text === null ? null : bytes(text),
    });
    expect(result).toMatchObject({ ok: false, error: { name, reasonCode } });
  });
});

describe("decodePythonText", () => {
  it("makes every line end a newline and keeps the byte order mark", () => {
    expect(decodePythonText(bytes("\ufeffa\r\nb\rc\n"))).toBe("\ufeffa\nb\nc\n");
  });

  it("refuses bytes that are not UTF-8", () => {
    for (const bad of [[0xff], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
      expect(() => decodePythonText(Uint8Array.from(bad))).toThrow(
        expect.objectContaining({ name: "ValueError" }),
      );
    }
  });
});
