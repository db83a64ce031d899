import { execFileSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";

import { findInFiles } from "./find-in-files";
import type { TrialPlace } from "./place";
import type { FindRequest } from "./stoppable-search";

function makeTrial(): string {
  const folder = makeFolder({
    "agent/heron.txt": "nothing\n",
    "agent/run.log": `${"x\n".repeat(800_000)}one \u001B[31mHe\u001B[0mron, two herons\nno bird\nHERON`,
    "verifier/a(b).txt": "a(b)\n",
  });
  writeFileSync(join(folder, "picture.bin"), Buffer.from([0, 1, 2, 3, ...Buffer.from("heron")]));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  symlinkSync("/etc", join(folder, "out"));
  return folder;
}

function findIn(path: string, text: string, rest: Partial<FindRequest> = {}) {
  const place: TrialPlace = {
    path,
    root: { index: 0, label: "", path },
    stepNames: null,
    ledger: null,
  };
  return findInFiles(place, { text, isPattern: false, isCased: false, ...rest });
}

test("a text is found in names and lines, with the number of its line however far down it is", async () => {
  const found = await findIn(makeTrial(), "heron");
  expect(found).toMatchObject({ nLines: 2, nFiles: 2, hasMore: false, nSearched: 3, problem: null });
  expect(found.files).toMatchObject([
    { path: "agent/heron.txt", isNamed: true, nLines: 0, lines: [] },
    {
      path: "agent/run.log",
      isNamed: false,
      nLines: 2,
      lines: [
        { line: 800_001, before: "one ", match: "Heron", after: ", two herons" },
        { line: 800_003, match: "HERON" },
      ],
    },
  ]);
  expect(found.notSearched).toEqual([{ reason: "binary", n: 1, paths: ["picture.bin"] }]);
});

test("letter case and patterns follow the options, and a text is taken literally", async () => {
  const folder = makeTrial();
  const find = (text: string, rest: Partial<FindRequest> = {}) => findIn(folder, text, rest);
  expect((await find("Heron", { isCased: true })).nLines).toBe(1);
  expect((await find("a(b)")).files).toMatchObject([{ path: "verifier/a(b).txt", isNamed: true, nLines: 1 }]);
  expect((await find("^no|^HE", { isPattern: true, isCased: true })).nLines).toBe(3);
  expect((await find("(", { isPattern: true })).problem).toMatch(/^Not a regular expression/);
});

test("a search of more than anybody waits for ends, and says what it left out", async () => {
  const huge = makeFolder({ "b.txt": "bird\n" });
  writeFileSync(join(huge, "a.log"), "bird bird\n".repeat(6_000));
  const many = await findIn(huge, "bird");
  expect(many).toMatchObject({ nLines: 5_000, hasMore: true });
  expect(many.files).toMatchObject([{ path: "a.log", nLines: 5_000 }]);
  expect(many.files[0]?.lines.length).toBe(30);
  // A gigabyte that takes no place on the disk.
  writeFileSync(join(huge, "a.log"), "text\n".repeat(4_000));
  truncateSync(join(huge, "a.log"), 1 << 30);
  const sparse = await findIn(huge, "bird");
  expect(sparse.files).toMatchObject([{ path: "b.txt" }]);
  expect(sparse.notSearched).toMatchObject([{ reason: "too-large", paths: ["a.log"] }]);
});
