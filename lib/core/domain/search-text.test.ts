import { expect, test } from "vitest";

import { listWords, makeTermPattern, parseSearch } from "./search-text";

test("words are letters and digits in lower case, and scripts without blanks have a word a character", () => {
  expect(listWords("Don't_stop: src/Foo-Bar.py 3.14 ÜBER 日本 🙂 \0 \ud800x")).toEqual(
    "don t stop src foo bar py 3 14 über 日 本 x".split(" "),
  );
  expect(listWords("A".repeat(500))).toEqual(["a".repeat(40)]);
  expect(listWords("é é")).toHaveLength(2);
});

test("a search is words, phrases and beginnings, and everything else parts words", () => {
  const read = (text: string) =>
    parseSearch(text).map(({ tokens, isPrefix }) => `${tokens.join(" ")}${isPrefix ? "*" : ""}`);
  expect(read('all "Tests Pass" wor*')).toEqual(["all", "tests pass", "wor*"]);
  expect(read("foo_bar /usr/bin/x")).toEqual(["foo bar", "usr bin x"]);
  expect(read('"never closed')).toEqual(["never closed"]);
  expect(read('"to be*"* "to be"*')).toEqual(["to be*", "to be*"]);
  expect(read("AND OR NOT NEAR(a b) names:x -y ^z + (b) * ** '\\\\ %")).toEqual([
    "and",
    "or",
    "not",
    "near a",
    "b",
    "names x",
    "y",
    "z",
    "b",
  ]);
  expect(read("* \" '' ; -- %_ 🙂")).toEqual([]);
  expect(parseSearch("word ".repeat(100))).toHaveLength(20);
});

test.each([
  ['"tests pass"', "All tests,\n  PASS now", "tests,\n  PASS"],
  ["pass", "bypass passes pass", "pass"],
  ["pass*", "bypass passes pass", "passes"],
  ["foo_bar", "a foo.bar b", "foo.bar"],
  ["本", "日本語", "本"],
  ['"日 本"', "の日本語", "日本"],
  ["a".repeat(50), `x ${"A".repeat(60)} y`, "A".repeat(60)],
])("the term %s finds %j as it is written", (search, text, found) => {
  const [term] = parseSearch(search);
  expect(term && text.match(makeTermPattern(term))?.[0]).toBe(found);
});

test("a term is not found inside a word", () => {
  const [term] = parseSearch("pass");
  expect(term && "bypass password".match(makeTermPattern(term))).toBeNull();
});
