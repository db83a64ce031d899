import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";

import { planRuns } from "@/lib/testing/plan-runs";

import { countAddressBytes, countPageBytes, fitPage, fitPageEnd, takeFittingEach } from "./page-bytes";

const SPECIAL = Array.from("ab0 <>&\"'\\/\n\r\t\b\f\v\0\u001f\u007f\u00e9\u2028\u2029\u540d\ud83d");

/** Characters that some layer writes otherwise, and some that none does. */
const texts = fc.string({
  unit: fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
  maxLength: 200,
});

/** Bytes of a text in React's HTML and in its data in a script. */
function measure(text: string): number {
  const html = renderToStaticMarkup(createElement("i", null, text)).slice(3, -4);
  const data = JSON.stringify(JSON.stringify(text)).slice(3, -3);
  const script = data.replace(/[<>&\u2028\u2029]/g, "\\u0000");
  return Buffer.byteLength(html) + Buffer.byteLength(script);
}

it("counts what React and the script around its data make of a text", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(countPageBytes(text)).toBe(measure(text));
    }),
    planRuns({ short: 500, long: 100_000 }),
  );
});

it("counts what an address takes", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(countAddressBytes(text)).toBe(measure(encodeURIComponent(text.toWellFormed())));
    }),
    planRuns({ short: 500, long: 100_000 }),
  );
});

it("gives every list the same share where not all of them fit, and keeps them as they are where they do", () => {
  const lists = [[5, 5, 5], [], [1, 1]];
  const bytesOf = (entry: number) => entry;
  expect(takeFittingEach(lists, 17, bytesOf)).toBe(lists);
  expect(takeFittingEach(lists, 16, bytesOf)).toEqual([[5], [], [1, 1]]);
});

it("cuts to the longest end that fits, between characters", () => {
  fc.assert(
    fc.property(texts, fc.nat(400), (text, most) => {
      const kept = fitPageEnd(text, most);
      expect(text.endsWith(kept)).toBe(true);
      expect(countPageBytes(kept)).toBeLessThanOrEqual(most);
      const before = Array.from(text.slice(0, text.length - kept.length)).at(-1) ?? "";
      if (kept !== text) expect(countPageBytes(before + kept)).toBeGreaterThan(most);
    }),
    planRuns({ short: 500, long: 100_000 }),
  );
});

it("cuts to the longest beginning that fits, between characters", () => {
  fc.assert(
    fc.property(texts, fc.nat(400), (text, most) => {
      const kept = fitPage(text, most);
      expect(text.startsWith(kept)).toBe(true);
      expect(countPageBytes(kept)).toBeLessThanOrEqual(most);
      const next = String.fromCodePoint(text.codePointAt(kept.length) ?? 0);
      if (kept !== text) expect(countPageBytes(kept + next)).toBeGreaterThan(most);
    }),
    planRuns({ short: 500, long: 100_000 }),
  );
});
