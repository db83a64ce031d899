import fc from "fast-check";
import { expect, test } from "vitest";

import { formatCursor, formatPlace, parseCursor, parsePlace } from "./place";

const values = fc.oneof(
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
  fc.integer(),
  fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)),
  fc.constant(null),
);

test("a cursor survives the address", () => {
  fc.assert(
    fc.property(fc.array(values, { minLength: 1, maxLength: 8 }), (cursor) => {
      const text = formatCursor(cursor);
      expect(text).toMatch(/^[\w-]+$/);
      expect(parseCursor(text)).toEqual(cursor);
      const place = { kind: "before", cursor } as const;
      expect(parsePlace(formatPlace(place))).toEqual(place);
    }),
  );
});

test.each([
  "",
  "x",
  "!!",
  formatCursor([]),
  Buffer.from('{"a":1}').toString("base64url"),
  formatCursor(["\0"]),
])("the cursor %j is ignored", (after) => {
  expect(parsePlace({ after })).toEqual({ kind: "first" });
});

test("any text is read without failing", () => {
  fc.assert(fc.property(fc.string(), fc.string(), (after, before) => void parsePlace({ after, before })));
});

test("the last page", () => {
  expect(parsePlace(formatPlace({ kind: "last" }))).toEqual({ kind: "last" });
  expect(parsePlace({ last: "1", after: "broken" })).toEqual({ kind: "last" });
});
