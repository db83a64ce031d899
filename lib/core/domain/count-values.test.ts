import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { countValues } from "./count-values";

/** Lists, objects and what is in them, keys not among them. */
function countMade(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + countMade(member), 1);
}

describe("counting the values of JSON text", () => {
  it("counts what parsing makes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const most = text.length - 1;
        const made = countMade(JSON.parse(text));
        expect(countValues(text, most)).toBe(Math.min(made, most + 1));
      }),
    );
  });

  it("ends just above the limit", () => {
    expect(countValues(`[${"{},".repeat(1000)}{}]`, 100)).toBe(101);
  });

  it("takes a text for short enough that has fewer characters than the limit", () => {
    expect(countValues("[1, 2, 3]", 1000)).toBeLessThanOrEqual(1000);
  });
});
