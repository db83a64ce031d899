import { expect, test } from "vitest";

import {
  describeChange,
  formatFingerprint,
  parseFingerprint,
  type TrialFingerprint,
  UNKNOWN_FINGERPRINT,
} from "./fingerprint";

const A = "0123456789abcdef0123456789abcdef";
const B = "fedcba9876543210fedcba9876543210";

test.each([
  ["unchanged", [A, A], [A, A]],
  ["changed: result", [A, A], [B, A]],
  ["changed: trajectory", [A, A], [A, B]],
  ["changed: result and trajectory", [A, A], [B, B]],
  ["changed: result", [A, null], [B, A]],
  ["changed: trajectory", [null, A], [A, B]],
  ["unknown", [A, null], [A, A]],
  ["unknown", [null, A], [A, A]],
  ["unknown", [null, null], [null, null]],
] as const)("%s between %j and %j", (change, before, now) => {
  const [a, b] = [before, now].map(([result, trajectory]): TrialFingerprint => ({
    result: result ?? null,
    trajectory: trajectory ?? null,
  }));
  expect(a && b && [describeChange(a, b), describeChange(b, a)]).toEqual([change, change]);
});

test("is one text and comes back from it", () => {
  expect(formatFingerprint({ result: A, trajectory: null })).toBe(`1:${A}:-`);
  for (const result of [A, null])
    for (const trajectory of [B, null]) {
      const fingerprint = { result, trajectory };
      expect(parseFingerprint(formatFingerprint(fingerprint))).toEqual(fingerprint);
    }
});

test.each([
  null,
  "",
  "1",
  `2:${A}:${A}`,
  `1:${A}`,
  `1:${A}:${A}:`,
  `1:${A}:${A}\n`,
  `1:${A.toUpperCase()}:-`,
  "1:<b>:-",
])("is unknown in a text that is none: %j", (text) => {
  expect(parseFingerprint(text)).toEqual(UNKNOWN_FINGERPRINT);
});
