import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Recording } from "@/lib/core/domain/file-preview";
import type { TextLine } from "@/lib/core/domain/trial-file";
import { makeFolder } from "@/lib/testing/folder.fixture";

import { readTrialFile } from "../read-trial-file";

async function read(content: string) {
  const folder = makeFolder({});
  writeFileSync(join(folder, "a.cast"), content);
  return await readTrialFile(folder, "a.cast", { form: null, line: null, from: null, end: "start" });
}

async function replay(content: string): Promise<Recording> {
  const view = await read(content);
  if (view.kind !== "file" || view.content.kind !== "preview" || view.content.preview.kind !== "recording")
    throw new Error("it is a recording");
  return view.content.preview.recording;
}

/** The screen after each frame, without empty rows at the end. */
function listScreens({ frames }: Recording): readonly (readonly [number, string])[] {
  const lines: TextLine[] = [];
  const toText = (line: TextLine | undefined) =>
    typeof line === "string" ? line : (line ?? []).map(({ text }) => text).join("");
  return frames.map(({ atSeconds, rows }) => {
    for (const [row, line] of rows) lines[row] = line;
    return [atSeconds, Array.from(lines, toText).join("\n").trimEnd()] as const;
  });
}

const lines = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");

test("each version is replayed as a terminal would show it", async () => {
  const events = ["$ ls", "\r\n\u001B[32mgreen\u001B[0m.txt\r\n", "\u001B[2J\u001B[Hdone"] as const;
  const screens = [
    [0, ""],
    [1, "$ ls"],
    [2.5, "$ ls\ngreen.txt"],
    [4, "done"],
  ];
  const [a, b, c] = events;
  const first = {
    version: 1,
    width: 40,
    height: 10,
    stdout: [
      [1, a],
      [1.5, b],
      [1.5, c],
    ],
  };
  expect(listScreens(await replay(JSON.stringify(first, null, 1)))).toEqual(screens);
  const second = lines(
    { version: 2, width: 40, height: 10 },
    [1, "o", a],
    [1, "i", "ls"],
    [2.5, "o", b],
    [4, "o", c],
  );
  expect(listScreens(await replay(second))).toEqual(screens);
  const third = `${lines({ version: 3, term: { cols: 40, rows: 10 } }, [1, "o", a])}\n# a comment\n${lines([1.5, "o", b], [0.5, "m", "end"], [1, "o", c])}`;
  const recording = await replay(third);
  expect(listScreens(recording)).toEqual(screens);
  expect(recording).toMatchObject({
    nColumns: 40,
    markers: [{ atSeconds: 3, label: "end" }],
    durationSeconds: 4,
  });
  expect(recording.frames[2]?.rows[0]).toEqual([
    1,
    [
      { text: "green", tone: "green", strong: false },
      { text: ".txt", tone: null, strong: false },
    ],
  ]);
});

test("a link, a title and a copy to the clipboard leave nothing but the text that they are about", async () => {
  const text =
    "\u001B]0;title\u0007\u001B]52;c;c2VjcmV0\u0007\u001B]8;;javascript:alert(1)\u001B\\link\u001B]8;;\u001B\\\u202Ex";
  const recording = await replay(lines({ version: 2, width: 40, height: 4 }, [1, "o", text]));
  expect(JSON.stringify(recording)).not.toMatch(/javascript|title|c2Vj|\u202E/);
  expect(listScreens(recording).at(-1)?.[1]).toMatch(/^link/);
});

test("what a terminal would do for ever is passed over, and a crowd of frames is put together", async () => {
  const endless = "bSTLM@PXIZ"
    .split("")
    .map((final) => `x\u001B[2147483647${final}`)
    .join("");
  const recording = await replay(
    `${lines({ version: 2, width: 1e9, height: 1e9 }, [0, "o", endless], [0.5, "r", "99999x99999"], "oops", [1, "o", "end"])}\n[2, "o", "cut`,
  );
  expect([recording.nColumns, recording.nRows]).toEqual([300, 100]);
  expect(listScreens(recording).at(-1)?.[1]).toContain("end");
  expect(recording.note).toBe("1 line is not an event and was left out.");
  const crowd = Array.from({ length: 3_000 }, (_, n) => [n / 10, "o", `${n}\r\n`]);
  const many = await replay(lines({ version: 2, width: 20, height: 5 }, ...crowd));
  expect(many.frames.length).toBeLessThan(502);
  expect(many.note).toBe("Shown in steps of 0.8 s.");
  expect(listScreens(many).at(-1)?.[1]).toBe("2996\n2997\n2998\n2999");
});

test.each([
  ["nothing", "This is not an asciinema recording: line 1 is not a JSON object."],
  ['{"version": 9}', "This is not an asciinema recording of version 1, 2 or 3: line 1 says version 9."],
])("%j is shown as text, with what is wrong with it", async (content, note) => {
  expect(await read(content)).toMatchObject({ form: "text", note });
});
