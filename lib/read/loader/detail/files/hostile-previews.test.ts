import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { FilePreview } from "@/components/trial/files/file-view";
import { FILE_FORMS } from "@/lib/core/domain/file-view";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import { readTrialFile } from "../read-trial-file";

/** Enough for a pattern that goes back and forth to take minutes, which no test may. */
const SIZE = IS_LONG_RUN ? 16_000_000 : 40_000;
/** HTML of a page is half of what it sends. */
const MAX_HTML = 1_000_000;

/** Each type of file with a preview, in its intended form. */
const FILES: Readonly<Record<string, string>> = {
  "a.csv": 'a,"b, c"\n1,"x\ny"\n'.repeat(50),
  "a.json": JSON.stringify({ list: [1, { deep: "text\n" }], text: "x" }),
  "a.jsonl": `${JSON.stringify({ type: "step", n: 1 })}\n`.repeat(50),
  "a.ipynb": JSON.stringify({
    cells: [{ cell_type: "code", source: ["x"], outputs: [{ output_type: "stream", text: ["y"] }] }],
  }),
  "a.cast": '{"version": 2, "width": 80, "height": 24}\n[1.5, "o", "x\\r\\n"]\n[2, "r", "100x30"]\n',
};

const CHANGES: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  empty: () => "",
  "cut off": (text) => text.slice(0, -3),
  "one line": (text) => text.replaceAll("\n", " "),
  "many times": (text) => text.repeat(SIZE / text.length),
  NUL: (text) => text.replaceAll(" ", "\0"),
  quotes: (text) => text + '"'.repeat(SIZE),
  commas: (text) => text + ",".repeat(SIZE),
  "open lists": () => "[".repeat(SIZE),
  nested: () => `${"[".repeat(SIZE / 2)}${"]".repeat(SIZE / 2)}`,
  "nested objects": () => `${'{"a":'.repeat(SIZE / 10)}1${"}".repeat(SIZE / 10)}`,
  "a long text": () => `{"<&>": "${"<".repeat(SIZE)}"}`,
  "long texts": () => `[${`"${"<".repeat(3_000)}",`.repeat(SIZE / 3_000)}1]`,
  "many names": () =>
    `{${Array.from({ length: SIZE / 20 }, (_, n) => `"${"名".repeat(9)}${n}":{"a":[]}`).join(",")}}`,
  numbers: () => `[${"1e400,".repeat(SIZE / 8)}-0.0]`,
  backslashes: () => `{"a": "${"\\\\".repeat(SIZE / 2)}\\`,
  "line breaks": (text) => text + "\n".repeat(SIZE),
  "terminal codes": () =>
    `{"version": 2, "width": 300, "height": 100}\n${`[1, "o", "${"\\u001b[300S\\u001b[300b\\u001b[31mx".repeat(20)}"]\n`.repeat(SIZE / 20_000)}`,
  "cells of cells": () =>
    JSON.stringify({
      cells: Array.from({ length: SIZE / 100 }, () => ({ cell_type: "code", source: "<".repeat(90) })),
    }),
  "wrong kinds": () =>
    '{"cells": [1, null, {"outputs": [1, {"data": 1, "text": {}}]}], "version": 1, "stdout": {}}',
};

test("every preview answers and fits on a page, for any content", async () => {
  const folder = makeFolder({});
  for (const [file, meant] of Object.entries(FILES))
    for (const [name, change] of Object.entries(CHANGES)) {
      writeFileSync(join(folder, file), change(meant));
      for (const form of FILE_FORMS)
        for (const part of [
          { from: null, end: "start" },
          { from: 1_000, end: "end" },
        ] as const) {
          const what = `${file}, ${name}, as ${form}`;
          const view = await readTrialFile(folder, file, { form, line: null, ...part });
          if (view.kind === "problem") throw new Error(what);
          if (view.content.kind !== "preview") continue;
          const { preview } = view.content;
          const html = renderToStaticMarkup(createElement(FilePreview, { preview }));
          expect(html.length, what).toBeLessThan(MAX_HTML);
          expect(JSON.stringify(preview).length, what).toBeLessThan(MAX_HTML);
        }
    }
});

test("any part of a terabyte that takes no place on the disk is there at once", async () => {
  const folder = makeFolder({
    "a.log": "text\n".repeat(3_000),
    "a.json": `{}${" ".repeat(9_000)}`,
    "a.csv": "a,b\n".repeat(3_000),
  });
  const size = 2 ** 40;
  for (const file of ["a.log", "a.json", "a.csv"]) truncateSync(join(folder, file), size);
  const ask = (file: string, part: object) =>
    readTrialFile(folder, file, { form: null, line: null, from: null, end: "start", ...part });
  expect(await ask("a.log", { line: 2_999 })).toMatchObject({
    content: { sought: 40, text: { firstLine: 2_959 } },
  });
  expect(await ask("a.log", { form: "hex", end: "end" })).toMatchObject({
    content: { hex: { toByte: size } },
  });
  expect(await ask("a.json", { form: "preview" })).toMatchObject({
    note: "Files of more than 8 MB are not shown as a tree.",
  });
  expect(await ask("a.csv", { form: "preview" })).toMatchObject({ kind: "file" });
});
