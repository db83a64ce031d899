import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import type { FilePreview, JsonNode } from "@/lib/core/domain/file-preview";
import { makeFolder } from "@/lib/testing/folder.fixture";

import { type FileRequest, readTrialFile } from "../read-trial-file";

async function view(path: string, content: string | Buffer, part: Partial<FileRequest> = {}) {
  const folder = makeFolder({});
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
  const shown = await readTrialFile(folder, path, {
    form: null,
    line: null,
    from: null,
    end: "start",
    ...part,
  });
  if (shown.kind === "problem") throw new Error(shown.issue.detail);
  return shown;
}

async function preview<Kind extends FilePreview["kind"]>(
  kind: Kind,
  ...rest: Parameters<typeof view>
): Promise<Extract<FilePreview, { kind: Kind }>> {
  const { content, note } = await view(...rest);
  if (content.kind !== "preview" || content.preview.kind !== kind)
    throw new Error(`no ${kind}: ${note ?? ""}`);
  return content.preview as Extract<FilePreview, { kind: Kind }>; // Its kind was just compared.
}

function outline({ key, kind, text, children }: JsonNode): unknown {
  return [key, children.length === 0 && kind !== "object" && kind !== "list" ? text : children.map(outline)];
}

test("a table has the cells that spreadsheets read: quotes, doubled quotes, breaks in quotes, Windows lines", async () => {
  const csv = 'name,"said, how"\r\nheron,"a ""b"",\nc"\r\negret,\r\nowl,1,2\r\n';
  const { header, nColumns, rows } = await preview("table", "a.csv", csv);
  expect([header, nColumns]).toEqual([["name", "said, how"], 2]);
  expect(rows).toEqual([
    { line: 2, cells: ["heron", 'a "b",\nc'], nCells: 2 },
    { line: 4, cells: ["egret", ""], nCells: 2 },
    { line: 5, cells: ["owl", "1", "2"], nCells: 3 },
  ]);
  const semicolons = await preview("table", "b.csv", "a;b\n1,5;2\n");
  expect(semicolons.rows[0]?.cells).toEqual(["1,5", "2"]);
});

test("a long table continues where a part ends, with its header", async () => {
  const csv = `n,text\n${Array.from({ length: 500 }, (_, n) => `${n},"x\ny"\n`).join("")}`;
  const first = await preview("table", "a.csv", csv);
  const next = await preview("table", "a.csv", csv, { from: first.window.toByte });
  expect([first.rows.length, next.header, next.rows[0]]).toEqual([
    200,
    ["n", "text"],
    { line: 402, cells: ["200", "x\ny"], nCells: 2 },
  ]);
});

test("JSON is a tree in which numbers and doubled keys stay as they are written", async () => {
  const { root } = await preview(
    "json",
    "a.json",
    '{"a": 1.0, "a": 9007199254740993, "b": ["x\\ny", NaN, {}], "c": "\\u001b[31m"}',
  );
  expect(outline(root)).toEqual([
    null,
    [
      ["a", "1.0"],
      ["a", "9007199254740993"],
      [
        "b",
        [
          [null, "x\ny"],
          [null, "NaN"],
          [null, []],
        ],
      ],
      ["c", ""],
    ],
  ]);
});

test.each([
  ["a.json", '{"a": 1,\n "b" 2}', 'This is not valid JSON: line 2 has "2" instead of a colon.'],
  ["a.json", "[1, 2", "This is not valid JSON: line 1 has the end of the text instead of a comma or ]."],
  ["a.json", "[1 2]", 'This is not valid JSON: line 1 has "2" instead of a comma or ].'],
  ["a.json", `[${"0,".repeat(300_000)}0]`, "This is not valid JSON: line 1 has more than 200,000 values."],
  [
    "a.csv",
    'a,b\n1,2\n3,"4\n',
    "This is not a table: line 3 begins a row where a quote is opened and never closed.",
  ],
  ["a.ipynb", "{}", "This notebook has no list of cells."],
])("%s that cannot be parsed is shown as text, with what is wrong and where", async (path, content, note) => {
  expect(await view(path, content)).toMatchObject({ note, form: "text", content: { kind: "text" } });
});

test("a JSON file nested a hundred thousand levels deep is a tree of some of them", async () => {
  const { root } = await preview("json", "a.json", `${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  let depth = 0;
  for (let node: JsonNode | undefined = root; node !== undefined; node = node.children[0]) depth++;
  expect(depth).toBeLessThan(50);
});

test("lines of JSON are records, with invalid ones named, from any part of a file of any name", async () => {
  const lines = Array.from({ length: 1_000 }, (_, n) => (n === 5 ? "oops" : `{"n": ${n}}`)).join("\n");
  const first = await preview("records", "a.jsonl", lines);
  expect(first.records.length).toBe(200);
  expect(first.records[5]).toEqual({
    line: 6,
    node: null,
    problem: { text: "oops", reason: '"o" instead of a value' },
  });
  const last = await preview("records", "a.jsonl", lines, { end: "end" });
  expect([last.records[0]?.line, last.records.at(-1)?.node?.children[0]?.text]).toEqual([801, "999"]);
  const log = await view("codex.txt", lines);
  expect([log.form, log.forms]).toEqual(["text", ["text", "preview", "hex"]]);
  const asked = await preview("records", "codex.txt", lines, { form: "preview", from: first.window.toByte });
  expect(asked.records[0]).toMatchObject({ line: 201, node: { text: '{"n": 200}' } });
});

test("a notebook is its cells with the texts that they put out, and names what is left out", async () => {
  const cells = [
    { cell_type: "markdown", source: ["# Title\n", "<script>"] },
    {
      cell_type: "code",
      execution_count: 3,
      source: "1/0",
      outputs: [
        { output_type: "stream", name: "stdout", text: ["a\n", "b\n"] },
        { output_type: "display_data", data: { "image/png": "AAAA", "text/html": "<b>" } },
        {
          output_type: "error",
          ename: "ZeroDivisionError",
          evalue: "no",
          traceback: ["\u001B[31mE\u001B[0m"],
        },
      ],
    },
  ];
  const { cells: shown } = await preview("notebook", "a.ipynb", JSON.stringify({ nbformat: 4, cells }));
  expect(shown).toMatchObject([
    { kind: "markdown", count: null, source: { lines: ["# Title", "<script>"] } },
    {
      kind: "code",
      count: 3,
      source: { lines: ["1/0"] },
      outputs: [
        { kind: "text", text: { lines: ["a", "b"] } },
        { kind: "left-out", types: ["image/png", "text/html"] },
        { kind: "error", text: { lines: [[{ text: "E", tone: "red" }]] } },
      ],
    },
  ]);
});

test("documents and archives are named, and not opened", async () => {
  expect(await view("a.txt", "%PDF-1.7\n")).toMatchObject({
    content: { kind: "closed", what: "a PDF document" },
  });
  expect(await view("b.json", "PK\u0003\u0004")).toMatchObject({ forms: ["preview", "hex"] });
});
