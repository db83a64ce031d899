import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";

import type { TrialPlace } from "../place";
import { compareFile, compareFolders } from "./compare-files";

const lines = (count: number, change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, at) => `${change[at + 1] ?? `line ${at + 1} of what both say`}\n`).join(
    "",
  );

async function compareTexts(a: string | Buffer, b: string | Buffer) {
  return compareFile(makeFolder({ x: a }), makeFolder({ x: b }), "x");
}

async function compareLines(a: string, b: string) {
  const comparison = await compareTexts(a, b);
  if (comparison.kind !== "text") throw new Error(`It is ${comparison.kind}.`);
  const { rows, nDiffering } = comparison.diff;
  const write = (line: { readonly number: number; readonly text: unknown } | null) =>
    line === null ? "-" : `${line.number} ${String(line.text)}`;
  const shown = rows.map((row) =>
    row.kind === "fold" ? `${row.count} equal` : `${row.kind}: ${write(row.a)} | ${write(row.b)}`,
  );
  return { rows, shown, nDiffering, notes: comparison.notes };
}

it("shows the lines that differ with three around them, in the numbers of each file", async () => {
  const { shown, nDiffering, rows } = await compareLines(
    lines(12, { 6: "size = 10" }),
    lines(12, { 6: "size = 12\nadded" }),
  );
  expect(shown).toEqual([
    "2 equal",
    ...[3, 4, 5].map((n) => `same: ${n} line ${n} of what both say | ${n} line ${n} of what both say`),
    "differs: 6 size = 10 | 6 size = 12",
    "differs: - | 7 added",
    ...[7, 8, 9].map((n) => `same: ${n} line ${n} of what both say | ${n + 1} line ${n} of what both say`),
    "3 equal",
  ]);
  expect(nDiffering).toEqual({ a: 1, b: 2 });
  expect(rows[4]).toMatchObject({ a: { mark: { from: 8, to: 9 } }, b: { mark: { from: 8, to: 9 } } });
});

it("tells files apart by what no screen shows: line ends, colours, bytes that are no UTF-8", async () => {
  expect((await compareLines("a\n", "a")).shown).toEqual(["differs: 1 a | 1 a (no line end)"]);
  expect((await compareLines("a\r\n", "a\n")).shown).toEqual(["differs: 1 a\\r | 1 a"]);
  expect((await compareLines("\u001B[31mred\n", "red\n")).shown).toEqual(["differs: 1 \\x1B[31mred | 1 red"]);
  const odd = (byte: number) => Buffer.concat([Buffer.from(lines(9)), Buffer.from([byte])]);
  expect(await compareTexts(odd(0xff), odd(0xfe))).toMatchObject({
    kind: "text",
    diff: { nDiffering: { a: 1, b: 1 } },
  });
});

it("shows the part of a long line that differs", async () => {
  const { rows } = await compareLines(`${"x".repeat(50_000)}one`, `${"x".repeat(50_000)}two`);
  const [row] = rows;
  const { text, mark } = (row?.kind === "differs" ? row.a : null) ?? { text: [], mark: null };
  expect(text.slice(mark?.from, mark?.to)).toBe("one");
});

it("compares files of any size: lines around the first difference, by their numbers in the whole file", async () => {
  const big = lines(200_000);
  const { shown, notes } = await compareLines(big, big.replace("line 150000 of", "LINE 150000 of"));
  expect(shown).toContain(
    "differs: 150000 line 150000 of what both say | 150000 LINE 150000 of what both say",
  );
  expect(notes[0]).toMatch(/^Lines 1 to 149,\d{3} are the same, byte by byte\.$/);
  const bytes = Buffer.alloc(3_000_000, 7);
  const other = Buffer.from(bytes);
  other[2_500_000] = 8;
  expect(await compareTexts(bytes, other)).toEqual({
    kind: "binary",
    firstDifference: 2_500_000,
    sizes: { a: 3_000_000, b: 3_000_000 },
  });
  expect(await compareTexts(bytes, bytes)).toEqual({ kind: "same", sizeBytes: 3_000_000 });
});

it("compares folders by path, calls equal only what it read, and follows no link", async () => {
  const place = (files: Readonly<Record<string, string>>): TrialPlace => {
    const path = makeFolder(files);
    return { path, root: { index: 0, label: "jobs", path }, stepNames: null, ledger: null };
  };
  const a = place({ "agent/same": "1", "agent/size": "12", "agent/bytes": "abc", mine: "" });
  const b = place({ "agent/same": "1", "agent/size": "1", "agent/bytes": "abd", yours: "" });
  for (const { path } of [a, b]) symlinkSync("/etc/hostname", join(path ?? "", "link"));
  const { rows, counts, view } = await compareFolders(a, b, null);
  expect(rows.map(({ path, relation }) => `${path} ${relation}`)).toEqual([
    "agent/bytes differs",
    "agent/size differs",
    "mine only-a",
    "yours only-b",
    "link unknown",
    "agent/same same",
  ]);
  expect(counts).toEqual({ differs: 2, "only-a": 1, "only-b": 1, unknown: 1, same: 1 });
  expect(view).toMatchObject({ path: "agent/bytes", comparison: { kind: "text" } });
  expect((await compareFolders(a, b, "link")).view).toMatchObject({
    comparison: { kind: "problem", letters: ["A", "B"], issue: { code: "link_outside_root" } },
  });
  expect((await compareFolders(a, b, "mine")).view?.comparison).toEqual({ kind: "only", letter: "A" });
  expect((await compareFolders(a, b, "yours")).view?.comparison).toEqual({ kind: "only", letter: "B" });
});
