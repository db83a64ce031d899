import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import RETIRED_WORDS from "./retired-words.json" with { type: "json" };

const PROJECT = join(import.meta.dirname, "..", "..", "..");

interface RetiredWord {
  /** Words or phrases, in lower case and without punctuation. */
  readonly retired: readonly string[];
  readonly say: string;
  /** `names` for names in code and files alone, where sentences may use the word; everywhere when absent. */
  readonly in?: string;
  /** Reasons for which the word stays, by the beginning of the paths of its files. */
  readonly except?: Readonly<Record<string, string>>;
}

const WORDS: readonly RetiredWord[] = RETIRED_WORDS;

/** Words of a text in lower case, `camelCase` and `kebab-case` divided, separated by spaces. */
function divide(text: string): string {
  const words = text.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
  return ` ${words
    .replaceAll(/[^a-z0-9\s*,_/-]+/g, " . ")
    .replaceAll(/[^a-z0-9.\n]+/g, " ")
    .replaceAll("\n", " \n ")} `;
}

/** The names that a source file declares: of itself, its variables, functions, types, parameters and properties. */
function listNames(path: string, source: string): string {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) =>
    comment.replaceAll(/[^\n]/g, " "),
  );
  const declared =
    /\b(?:const|let|function|class|interface|type|readonly|get)\s+\w+|[({,]\s*\w+(?=\??:\s)|\w+(?=,? \} = )/g;
  const names = code.split("\n").map((line) => (line.match(declared) ?? []).join(". "));
  return `${names.join("\n")}\n${path}`;
}

/** Where a file says a retired word, as `path:line: "word": say "…"`. */
function findRetired(path: string, source: string): readonly string[] {
  const all = divide(source);
  const names = /\.(tsx?|mjs)$/.test(path) ? divide(listNames(path, source)) : "";
  return WORDS.flatMap(({ retired, say, except = {}, ...word }) => {
    const text = word.in === "names" ? names : all;
    const phrases = retired.map((phrase) => phrase.replaceAll(" ", "\\s+"));
    const isExcepted = Object.keys(except).some((beginning) => path.startsWith(beginning));
    const found = isExcepted ? [] : [...text.matchAll(new RegExp(` (${phrases.join("|")}) `, "g"))];
    return found.map(
      ({ 1: said = "", index }) =>
        `${path}:${text.slice(0, index).split("\n").length}: "${said}": say "${say}"`,
    );
  });
}

test("no page, command, document or name says a word that was replaced", () => {
  const paths = globSync(["*.md", "{app,bench,components,docs,e2e,lib}/**/*.{ts,tsx,mjs,css,md}"], {
    cwd: PROJECT,
  });
  const checked = paths.filter((path) => path !== "CHANGELOG.md" && !import.meta.filename.endsWith(path));
  expect(checked.length).toBeGreaterThan(500);
  expect(checked.flatMap((path) => findRetired(path, readFileSync(join(PROJECT, path), "utf8")))).toEqual([]);
});

test.each([
  ["app/page.tsx", "<p>\n  This is what is\n  the case.</p>", ["app/page.tsx:2"]],
  ["lib/a.ts", "/** One is worth another. */\nconst effectiveWorth = x;", ["lib/a.ts:2"]],
  ["lib/a.ts", "const { a, b } = read();\nexport interface SealedJob {}", ["lib/a.ts:2"]],
  ["lib/worth.ts", "const worthy = a.worth;", ["lib/worth.ts:2"]],
  ["README.md", "It seals nothing.", ["README.md:1"]],
])("in %s: %j", (path, source, places) => {
  expect(findRetired(path, source).map((found) => found.split(": ", 1)[0])).toEqual(places);
});
