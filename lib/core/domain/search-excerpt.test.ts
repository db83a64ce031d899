import { expect, test } from "vitest";

import { findExcerpt, makePatterns, type TextPiece } from "./search-excerpt";

const piece = (key: string, text: string): TextPiece => ({ kind: "step", key, text });
const find = (text: string, ...pieces: readonly TextPiece[]) => findExcerpt(pieces, makePatterns(text));

test("an excerpt is of the step with most terms near each other, on one line, and counts the other steps", () => {
  const far = `${"far ".repeat(100)}away`;
  const excerpt = find(
    "wheel broke",
    piece("1", `A wheel. ${far} It broke.`),
    piece("2", `A wheel. ${far}\n\nthe Wheel\t and axle broke ${far}`),
    piece("explore.3", "It broke."),
    piece("4", "nothing"),
  );
  expect(excerpt).toMatchObject({ kind: "step", key: "2", match: "Wheel", nMore: 2 });
  const [before, ...parts] = excerpt?.parts ?? [];
  expect(before).toMatch(/^.{30,60} the $/);
  expect(parts.slice(0, 3)).toEqual(["Wheel", " and axle ", "broke"]);
  expect(parts.at(-1)).toMatch(/^ (?:far ){20,45}/);
  expect(find('"wheel broke"', piece("2", "the Wheel\n broke"))).toMatchObject({
    parts: ["the ", "Wheel broke", ""],
    match: "Wheel\n broke",
  });
  expect(find("wheel", piece("1", "wheels"))).toBeNull();
});

test("of tests it is the one with most terms, and terms that share a word are marked once", () => {
  const tests: TextPiece = { kind: "test", key: "", text: "test_import\ntest_import_error\ntest_error" };
  expect(find("import error", tests, piece("1", "an error"))).toMatchObject({
    kind: "test",
    parts: ["test_", "import", "_", "error", ""],
    nMore: 1,
  });
  expect(find("imp* import", piece("1", "import"))?.parts).toEqual(["", "import", ""]);
});
