import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ProseLines } from "@/components/trial/trajectory/text-lines";
import type { TextBlock } from "@/lib/core/domain/trial-file";

import { listTrialFiles } from "./list-trial-files";
import { openInside, resolveInside } from "./open-inside";
import { openRawFile } from "./open-raw-file";
import { type FileRequest, readTrialFile } from "./read-trial-file";
import { prepareTextBlock, stripTerminal } from "./terminal-text";
import { readTestReports } from "./test-reports/read-test-reports";

let base: string;
let trial: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "assay-files-"));
  trial = join(base, "trial");
  mkdirSync(trial);
  writeFileSync(join(base, "secret.txt"), "SECRET");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(trial, path)), { recursive: true });
  writeFileSync(join(trial, path), content);
}

function read(path: string, part: Partial<FileRequest> = {}) {
  return readTrialFile(trial, path, { form: null, line: null, from: null, end: "start", ...part });
}

/** The text of a file, or of a part of it. */
async function readText(path: string, part: Partial<FileRequest> = {}) {
  const view = await read(path, part);
  if (view.kind !== "file" || view.content.kind !== "text") throw new Error(`${path} is a text`);
  return { ...view.content.text, sought: view.content.sought, note: view.note };
}

const LIMITS = { maxLines: 10, maxLineChars: 100, maxBytes: 20_000 };
function plain(block: Pick<TextBlock, "lines">): readonly string[] {
  return block.lines.map((line) =>
    typeof line === "string" ? line : line.map((span) => span.text).join(""),
  );
}

test.each([
  "../secret.txt",
  "a/../../secret.txt",
  "/etc/passwd",
  "ok\0.txt",
  "out",
  "outdir/secret.txt",
  "loop",
])("%j is not opened", async (path) => {
  put("a/x", "");
  symlinkSync(join(base, "secret.txt"), join(trial, "out"));
  symlinkSync(base, join(trial, "outdir"));
  symlinkSync("loop", join(trial, "loop"));
  expect((await openInside(trial, path)).ok).toBe(false);
  const view = await read(path);
  expect(view.kind).toBe("problem");
  expect(JSON.stringify(view)).not.toContain("SECRET");
});

test("a sibling folder whose name starts with the trial's is outside", () => {
  mkdirSync(`${trial}-2`);
  writeFileSync(join(`${trial}-2`, "x"), "SECRET");
  expect(resolveInside(trial, "../trial-2/x").ok).toBe(false);
});

test("links within the trial are followed, folders and pipes are refused without waiting", async () => {
  put("agent/log.txt", "hello\n");
  symlinkSync("agent/log.txt", join(trial, "latest"));
  execFileSync("mkfifo", [join(trial, "pipe")]);
  expect(await read("latest")).toMatchObject({ content: { kind: "text", text: { lines: ["hello"] } } });
  expect(await read("agent")).toMatchObject({ kind: "problem" });
  expect(await read("pipe")).toMatchObject({ kind: "problem" });
});

test("the listing shows links without following them and reports what it leaves out", async () => {
  put("agent/log.txt", "hello\n");
  put("result.json", "{}");
  symlinkSync(base, join(trial, "up"));
  const { entries, cutNote } = await listTrialFiles(trial);
  expect(entries.map((entry) => [entry.path, entry.kind, entry.sizeBytes])).toEqual([
    ["agent", "folder", null],
    ["agent/log.txt", "file", 6],
    ["result.json", "file", 2],
    ["up", "link", null],
  ]);
  expect(cutNote).toBeNull();
  put(`${Array.from({ length: 14 }, (_, i) => `d${i}`).join("/")}/deep.txt`, "");
  expect((await listTrialFiles(trial)).cutNote).toContain("12 levels");
  expect((await listTrialFiles(join(trial, "gone"))).issues).toMatchObject([{ code: "folder_unreadable" }]);
});

test("names that are not text are listed as such, and never open their neighbour", async () => {
  put("a\ufffd.txt", "text");
  for (const byte of [0xfe, 0xff]) {
    const name = Buffer.concat([Buffer.from(join(trial, "a")), Buffer.from([byte]), Buffer.from(".txt")]);
    writeFileSync(name, "SECRET");
  }
  const { entries } = await listTrialFiles(trial);
  expect(entries.map((entry) => [entry.path, entry.kind, entry.sizeBytes])).toEqual([
    ["a\\xfe.txt", "garbled", null],
    ["a\\xff.txt", "garbled", null],
    ["a\ufffd.txt", "file", 4],
  ]);
  expect(await read("a\\xff.txt")).toMatchObject({ kind: "problem" });
});

test("images are known by their first bytes, never by their name; SVG and HTML are text", async () => {
  put(
    "a.txt",
    Buffer.concat([Buffer.from([0x89]), Buffer.from("PNG\r\n\x1a\n", "latin1"), Buffer.alloc(40)]),
  );
  put("b.png", "<svg onload=alert(1)>");
  put("c.bin", Buffer.from(Array.from({ length: 256 }, (_, i) => i)));
  expect(await read("a.txt")).toMatchObject({ content: { kind: "image" } });
  expect((await readText("b.png")).lines).toEqual(["<svg onload=alert(1)>"]);
  expect(await read("c.bin")).toMatchObject({ form: "hex", forms: ["hex", "text"], sizeBytes: 256 });
});

test("NUL bytes in a log leave it readable, and an empty file is an empty text", async () => {
  put("log", `${"plain text ".repeat(20)}\0\0\nnext\n`);
  put("empty", "");
  expect(await read("log")).toMatchObject({ form: "text" });
  expect((await readText("empty")).lines).toEqual([]);
});

test("any part of a text of any size is read: from a byte, up to one, at a line, from either end", async () => {
  put("big.log", Array.from({ length: 300_000 }, (_, i) => `line ${i + 1}`).join("\n"));
  const start = await readText("big.log");
  expect([start.lines[0], start.lines.length, start.firstLine]).toEqual(["line 1", 2000, 1]);
  const later = await readText("big.log", { from: start.toByte });
  expect([later.lines[0], later.firstLine]).toEqual(["line 2001", 2001]);
  const earlier = await readText("big.log", { from: later.fromByte, end: "end" });
  expect(earlier).toEqual({ ...start, note: null });
  const end = await readText("big.log", { end: "end" });
  expect([end.lines[0], end.lines.at(-1), end.firstLine]).toEqual(["line 298001", "line 300000", 298_001]);
  const there = await readText("big.log", { line: 123_456 });
  expect(there.lines[there.sought ?? -1]).toBe("line 123456");
  expect((await readText("big.log", { line: 300_001 })).note).toBe(
    "There is no line 300,001: the last line is 300,000.",
  );
});

test("a line that is longer than a page is shown in rows, and nothing of it is lost between parts", async () => {
  const text = `first\n${"名前 and so on, ".repeat(200_000)}\nlast`;
  put("long.log", text);
  let [from, shown] = [0, ""];
  const sizeBytes = Buffer.byteLength(text);
  while (from < sizeBytes) {
    const { lines, goesOn, fromByte, toByte, firstLine } = await readText("long.log", { from });
    expect([fromByte, firstLine]).toEqual([from, from === 0 ? 1 : 2]);
    const begins = (row: number) => fromByte + row > 0 && !goesOn.includes(row);
    shown += plain({ lines })
      .map((line, row) => (begins(row) ? "\n" : "") + line)
      .join("");
    from = toByte;
  }
  expect(shown === text).toBe(true);
  expect(plain(await readText("long.log", { end: "end" })).at(-1)).toBe("last");
});

test("bytes are read in rows of sixteen, from any place", async () => {
  put("c.bin", Buffer.from(Array.from({ length: 20_000 }, (_, i) => i % 256)));
  const view = await read("c.bin", { from: 8200 });
  if (view.kind !== "file" || view.content.kind !== "hex") throw new Error("its bytes are shown");
  const { rows, fromByte, toByte } = view.content.hex;
  expect([rows.length, fromByte, toByte]).toEqual([512, 8192, 16_384]);
  expect(rows[4]).toBe("00002040  40 41 42 43 44 45 46 47  48 49 4a 4b 4c 4d 4e 4f  @ABCDEFGHIJKLMNO");
  expect(rows[2]?.endsWith(` !"#$%&'()*+,-./`)).toBe(true);
});

test("colours become names, every other escape disappears, text stays text", () => {
  const block = prepareTextBlock(
    [
      "\u001B[1;31mFAILED\u001B[0m ok \u001B[38;5;31mx\u001B[m",
      "\u001B]0;title\u0007\u001B]8;;javascript:alert(1)\u001B\\link\u001B]8;;\u001B\\",
      "<script>alert(1)</script>\u001B[2J\u001B[10;10H",
      "10%\r50%\r100%\r",
      "a\0b\u202Etxt.exe",
    ].join("\n"),
    LIMITS,
  );
  expect(block.lines[0]).toEqual([
    { text: "FAILED", tone: "red", strong: true },
    { text: " ok ", tone: null, strong: false },
    { text: "x", tone: null, strong: false },
  ]);
  expect(plain(block).slice(1)).toEqual([
    "link",
    "<script>alert(1)</script>",
    "100%",
    "a\\x00b\\u202Etxt.exe",
  ]);
});

test("long lines and long texts are cut, and say so", () => {
  const block = prepareTextBlock(`${"x".repeat(5_000)}\n${"y\n".repeat(50)}`, LIMITS);
  expect(plain(block)[0]).toBe(`${"x".repeat(100)} … line cut after 100 characters`);
  expect([block.lines.length, block.totalLines, block.cutNote]).toEqual([
    10,
    51,
    "10 of 51 lines are shown.",
  ]);
});

test("a text of markup, of other alphabets or of colours is cut to what a page holds, at the end that was not asked for", async () => {
  for (const piece of ["<&>", "名前", "\u001B[31mx\u001B[32my", "`a`", "**a**", "# ", "- ", "FAILED "]) {
    const lines = Array.from(
      { length: 1_900 },
      (_, n) => `${n} ${piece.repeat(Math.ceil(500 / piece.length))}`,
    );
    put("heavy.log", lines.join("\n"));
    for (const end of ["start", "end"] as const) {
      const { lines } = await readText("heavy.log", { end });
      const markup = renderToStaticMarkup(createElement(ProseLines, { lines }));
      // The data of React is about as much as the markup.
      expect(Buffer.byteLength(markup), piece).toBeLessThan(1_000_000);
      expect(lines.length, piece).toBeGreaterThan(10);
      const [shown] = plain({ lines: lines.slice(end === "end" ? -1 : 0) });
      expect(shown, piece).toMatch(end === "end" ? /^1899 / : /^0 /);
    }
  }
});

test("an enormous line leaves room for the lines after it", () => {
  const block = prepareTextBlock(`${"x".repeat(300_000)}\nnext\n`, LIMITS);
  expect(plain(block)[1]).toBe("next");
  expect(block.cutNote).toBeNull();
});

test("an unfinished escape at the end of a text does not hang or leak", () => {
  expect(stripTerminal("a\u001B[31")).toBe("a31");
  expect(stripTerminal(`b\u001B]0;${"t".repeat(50_000)}`)).toBe("b");
  expect(stripTerminal("\u001B\u001B\u001B")).toBe("");
});

test("test reports: failures first, seconds recognised by their clock", async () => {
  const tests = [
    { name: "a", status: "passed", duration: 0.11 },
    { name: "b", status: "failed", duration: 1.31, trace: "E assert", message: "no" },
    { name: "c", status: "exploded" },
  ];
  put(
    "verifier/ctrf.json",
    JSON.stringify({
      results: { tool: { name: "pytest", version: "8.4.1" }, summary: { start: 1.7e9 }, tests },
    }),
  );
  const { value } = await readTestReports(trial, null);
  expect(value[0]).toMatchObject({ tool: "pytest 8.4.1", nFailed: 1 });
  expect(value[0]?.tests.map((entry) => [entry.name, entry.status, entry.durationMs])).toEqual([
    ["b", "failed", 1310],
    ["a", "passed", 110],
    ["c", "other", null],
  ]);
});

test("raw bytes are sent exactly as they are, with the type that they prove", async () => {
  put("a.bin", Buffer.from([0, 255, 10, 13, 0]));
  put("b.txt", "GIF89a and then anything");
  put("empty", "");
  const opened = await openRawFile(trial, "a.bin");
  expect(opened.ok && [opened.value.name, opened.value.sizeBytes, opened.value.shownType]).toEqual([
    "a.bin",
    5,
    null,
  ]);
  expect(opened.ok && [...new Uint8Array(await new Response(opened.value.body).arrayBuffer())]).toEqual([
    0, 255, 10, 13, 0,
  ]);
  const image = await openRawFile(trial, "b.txt");
  expect(image.ok && image.value.shownType).toBe("image/gif");
  if (image.ok) await image.value.body.cancel();
  const empty = await openRawFile(trial, "empty");
  expect(empty.ok && (await new Response(empty.value.body).arrayBuffer()).byteLength).toBe(0);
  expect(await openRawFile(trial, "../secret.txt")).toMatchObject({
    ok: false,
    issue: { code: "link_outside_root" },
  });
});

test("a file that shrinks while it is sent breaks off, and one that grows is sent as it was at first", async () => {
  put("long.bin", Buffer.alloc(300_000, 1));
  const cut = await openRawFile(trial, "long.bin");
  const grown = await openRawFile(trial, "long.bin");
  if (!cut.ok || !grown.ok) throw new Error("The file that was just written is there.");
  const readers = [cut.value.body.getReader(), grown.value.body.getReader()] as const;
  for (const reader of readers) expect((await reader.read()).value?.length).toBeGreaterThan(0);
  appendFileSync(join(trial, "long.bin"), "more");
  let n = 65_536;
  for (let part = await readers[1].read(); !part.done; part = await readers[1].read()) n += part.value.length;
  expect(n).toBe(300_000);
  truncateSync(join(trial, "long.bin"), 70_000);
  const readAll = async () => {
    for (let part = await readers[0].read(); !part.done;) part = await readers[0].read();
  };
  await expect(readAll()).rejects.toThrow("shrank");
});

test("unterminated terminal strings take linear time, and hide their content", () => {
  const text = `${"\u009d".repeat(500_000)}\u001bXhidden\u001b[31mred\n\u001b]8;;x\u001b[1mbold`;
  const { lines } = prepareTextBlock(text, { maxLines: 9, maxLineChars: 1_000_000, maxBytes: 9_000_000 });
  expect(lines).toEqual([
    [{ text: "red", tone: "red", strong: false }],
    [{ text: "bold", tone: "red", strong: true }],
  ]);
});
