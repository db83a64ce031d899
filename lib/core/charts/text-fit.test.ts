import fc from "fast-check";
import { expect, test } from "vitest";

import { dropShared, fitText, measureText, shortenNames, wrapText } from "./text-fit";

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("a", "b", "-", "_", " ", "/", "W", "m", "i", "I", ".", ":", "0"),
    fc.constant("漢"),
    fc.constant("😀"),
  ),
  maxLength: 120,
});
const anyRoom = fc.integer({ min: 20, max: 400 });

test("any text fits its room, and is complete if it can be", () => {
  fc.assert(
    fc.property(anyText, anyRoom, (text, room) => {
      const shown = fitText(text, room);
      expect(measureText(shown)).toBeLessThanOrEqual(room);
      if (measureText(text) <= room) expect(shown).toBe(text);
      else expect(shown).toContain("…");
    }),
  );
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 6 }), anyRoom, (names, room) => {
      for (const name of shortenNames(names, room)) expect(measureText(name)).toBeLessThanOrEqual(room);
    }),
  );
});

test("names lose the words that they share and keep what tells them apart", () => {
  const names = ["baseline", "baseline-2", "final-r45-1"].map((job) => `tau3-orchestrator-harness in ${job}`);
  expect(shortenNames(names, 400)).toEqual(names);
  expect(shortenNames(names, 100)).toEqual(["…in baseline", "…in baseline-2", "…in final-r45-1"]);
  expect(shortenNames(["orca meridian-5", "orca meridian-4.5"], 100)).toEqual([
    "…meridian-5",
    "…meridian-4.5",
  ]);
  const models = ["z-ai-glm-5", "qwen-3"].map((model) => `openclaw-${model}-openclaw-terminal-bench-2.0`);
  expect(shortenNames(models, 120)).toEqual(["…z-ai-glm-5-…", "…qwen-3-…"]);
  // Alone, or alike, a name has nothing that tells it apart; its end says most.
  expect(shortenNames(["codex-gpt-5.4-mini-low-symnav"], 100)[0]).toMatch(/^co.*….*symnav$/);
  expect(new Set(shortenNames([names[0] ?? "", names[0] ?? ""], 100)).size).toBe(1);
});

test("lines are broken between words, and within a word only where it is longer than a line", () => {
  const text = "Bands: 95 %, pointwise, percentiles of 10,000 bootstrap samples";
  const lines = wrapText(text, 120);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.join(" ")).toBe(text);
  fc.assert(
    fc.property(anyText, fc.integer({ min: 30, max: 300 }), (any, room) => {
      const broken = wrapText(any, room);
      for (const line of broken) expect(measureText(line)).toBeLessThanOrEqual(room);
      expect(broken.join("").replaceAll(" ", "")).toBe(any.replaceAll(" ", ""));
    }),
  );
});

test("leaves no brackets around a name that has nothing else left", () => {
  const names = ["east", "west"].map((folder) => `nightly-runs-of-a-job (${folder})`);
  expect(dropShared(names, 6)).toEqual(["east", "west"]);
});
