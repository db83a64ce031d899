import fc from "fast-check";
import { expect, it } from "vitest";

import { planRuns } from "@/lib/testing/plan-runs";

import { countPageBytes } from "./page-bytes";
import { TextBounder } from "./text-bounder";

const MOST = 200_000;

/** Every text of a value together. */
function sumTexts(value: unknown): number {
  if (typeof value === "string") return countPageBytes(value);
  if (typeof value !== "object" || value === null) return 0;
  const parts = value instanceof Map ? [...value].flat() : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + sumTexts(part), 0);
}

it("keeps a record within the bytes of a page, for any characters", () => {
  const piece = fc.constantFrom("<", "名", '"', "a", "\u0000", "\ud83d", "&<");
  const text = fc.tuple(piece, fc.nat(20_000)).map(([one, n]) => one.repeat(n));
  const entry = fc.record({ name: text, explanation: text, tags: fc.array(text, { maxLength: 5 }) });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 20, maxLength: 300 }), (checks) => {
      const bounder = new TextBounder(500, MOST);
      const { list, map } = bounder.bound({
        list: checks,
        map: new Map(checks.map((one) => [one.name, one])),
      });
      // One entry more than fits: what is asked for is the room before it.
      expect(sumTexts(list) + sumTexts(map)).toBeLessThan(MOST + 40_000);
      expect(list.length).toBeGreaterThan(0);
      if (list.length < checks.length) expect(bounder.describe()).not.toBeNull();
    }),
    planRuns({ short: 20, long: 2_000 }),
  );
});

it("leaves a record that fits the very same, and in the index every entry of a list", () => {
  const checks = Array.from({ length: 100 }, (_, n) => ({
    name: `c${n}`,
    explanation: "Because it failed. ".repeat(5),
  }));
  expect(new TextBounder(500, MOST).bound(checks)).toBe(checks);
  const many = Array.from({ length: 900 }, (_, n) => ({ name: `${"<".repeat(290)}${n}` }));
  expect(new TextBounder(1_000).bound(many)).toBe(many);
  expect(new TextBounder(1_000, MOST).bound(many).length).toBeLessThan(900);
});

it("cuts long texts before it leaves out entries, and of a trace keeps the end", () => {
  const tests = Array.from({ length: 40 }, (_, n) => ({
    name: `t${n}`,
    trace: `${"a line of it\n".repeat(2_000)}E the error of ${n}`,
  }));
  const bound = new TextBounder(500, MOST).bound(tests);
  expect(bound.map(({ name }) => name)).toEqual(tests.map(({ name }) => name));
  for (const [n, { trace }] of bound.entries()) expect(trace.endsWith(`E the error of ${n}`)).toBe(true);
});

it("cuts no text where all of them fit on the page", () => {
  const tests = Array.from({ length: 3 }, (_, n) => ({
    name: `t${n}`,
    trace: "a line of it\n".repeat(2_000),
  }));
  expect(new TextBounder(500, MOST).bound(tests)).toBe(tests);
});

it("leaves no half of a character, which a page and its data would show differently", () => {
  const half = "m\ud83d";
  const rewards = new Map([half, "m\ud83e"].map((key, place) => [key, place]));
  const bound = new TextBounder(10).bound({ model: half, rewards, message: half });
  expect(bound.message).toBe("m\ufffd");
  expect(bound.model).toMatch(/^m\ufffd \([0-9a-f]{32}\)$/);
  expect([...bound.rewards]).toEqual([
    [bound.model, 0],
    [expect.stringMatching(/^m\ufffd \([0-9a-f]{32}\)$/), 1],
  ]);
});
