import { expect, test } from "vitest";

import type { TextLine } from "@/lib/core/domain/trial-file";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import { findLanguage, Highlighter, makeHighlighted } from "./highlight";

function toText(lines: readonly TextLine[]): string {
  return lines
    .map((line) => (typeof line === "string" ? line : line.map(({ text }) => text).join("")))
    .join("\n");
}

/** Marks: `**` around strong text, `_` around dim text. */
function mark(lines: readonly TextLine[]): readonly string[] {
  return lines.map((line) =>
    typeof line === "string"
      ? line
      : line
          .map(({ text, tone, strong }) => (strong ? `**${text}**` : tone === "dim" ? `_${text}_` : text))
          .join(""),
  );
}

test("keywords are strong and comments grey, over several lines and behind the numbers that a tool puts before them", () => {
  const python = ["def f(x):", '    """One', '    two"""  # three', "    return x"];
  expect(mark(new Highlighter(9_999).highlight(python, "py"))).toEqual([
    "**def** f(x):",
    '    """One',
    '    two"""  _# three_',
    "    **return** x",
  ]);
  const numbered = ["<file>", ...python.map((line, row) => `    ${row + 7}→${line}`), "</file>"];
  expect(mark(new Highlighter(9_999).highlight(numbered, "py"))[4]).toBe("_    10→_    **return** x");
});

test("the language of a file is known by its name, words are in none", () => {
  const names = [
    "a/b.py",
    "x.tsx",
    "Makefile",
    "ci.yml",
    "notes.md",
    "run.log",
    "x.py; rm",
    "LICENSE",
    "a.__proto__",
  ];
  expect(names.map(findLanguage)).toEqual(["py", "tsx", "makefile", "yml", null, null, null, null, null]);
});

test("lines with colours of their own, of no language or beyond the limit stay as they are", () => {
  const coloured = ["if x:", [{ text: "red", tone: "red", strong: false }]] as const;
  const plain = ["if x:", "  pass"];
  expect(new Highlighter(9_999).highlight(coloured, "py")).toBe(coloured);
  expect(new Highlighter(9_999).highlight(plain, null)).toBe(plain);
  expect(new Highlighter(9_999).highlight(plain, "py", 0)).toEqual(plain);
});

const ODD = [
  "(",
  "\\",
  "<a ",
  "`${",
  '"',
  "'''",
  "/*",
  "{{",
  "a",
  " ",
  "é\u0301",
  "\uD800",
  "0x",
  "<<E",
  "@",
  "$(",
];

test.each(IS_LONG_RUN ? ["bash", "cpp"] : ["bash"])(
  "100,000 odd characters as %s keep their text",
  (language) => {
    for (const piece of ODD) {
      // One line, and many as long as are looked at.
      const lines = Array.from({ length: 100 }, () => piece.repeat(1_000 / piece.length));
      for (const odd of [[piece.repeat(100_000)], lines]) {
        const set = makeHighlighted((highlighter) => highlighter.highlight(odd, language));
        expect(toText(set) === odd.join("\n"), piece).toBe(true);
      }
    }
  },
);

test("a grammar that never ends is stopped, and the texts of the page are plain", () => {
  let nMade = 0;
  const set = makeHighlighted((highlighter) => {
    nMade += 1;
    while (nMade === 1);
    return highlighter.highlight(["if x:"], "py");
  });
  expect([set, nMade]).toEqual([["if x:"], 2]);
});
