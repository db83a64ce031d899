import fc from "fast-check";
import { expect, test } from "vitest";

import { atSecond, buildException, buildStep, buildTrial, rewards } from "@/lib/testing/job-bundle.fixture";

import { decodeValue, encodeValue } from "./codec";

test.each([
  ["an int and a float of one value", [1n, 1, 10n ** 30n]],
  ["the numbers JSON has no text for", [NaN, Infinity, -Infinity, -0, 0]],
  ["maps with hostile keys, nested", new Map([["__proto__", new Map([["$m", [1n]]])]])],
  ["null, text with NUL and lone surrogates", { a: null, b: "\0\ud800", c: [true, false] }],
])("%s come back as they were", (_, value) => {
  expect(decodeValue(encodeValue(value))).toStrictEqual(value);
});

test("a field that is undefined is left out", () => {
  expect(decodeValue(encodeValue({ a: undefined, b: 1 }))).toStrictEqual({ b: 1 });
});

test.each([
  ["a set", new Set([1])],
  ["bytes", new Uint8Array([1])],
  ["a buffer", Buffer.from([1])],
  ["a class instance", new Error("e")],
])("%s is refused, and not written as an empty object", (_, value) => {
  expect(() => encodeValue({ at: [{ value }] })).toThrow(TypeError);
});

test("any reward dictionary survives", () => {
  const number = fc.oneof(fc.double(), fc.bigInt(), fc.boolean());
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: "binary" }), number)), (entries) => {
      const map = new Map(entries);
      const back = decodeValue<typeof map>(encodeValue(map));
      expect([...back]).toStrictEqual([...map]);
    }),
  );
});

test("a trial is returned unchanged", () => {
  const exception = { ...buildException("Timeout"), occurredAt: atSecond(1) };
  const steps = [buildStep("one", rewards({ reward: 1n }), { exception })];
  const trial = buildTrial("alpha__aaaaaaa", -0, { exception, steps });
  expect(decodeValue(encodeValue(trial))).toStrictEqual(trial);
});
