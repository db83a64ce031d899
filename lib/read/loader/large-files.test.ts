import { statSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, it, onTestFinished, vi } from "vitest";

import { prepareRoots } from "@/lib/read/catalog";
import { jobFiles, jobResult, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { dumpFresh } from "@/lib/testing/index.fixture";

import { readAnalysis } from "./detail";
import { readJobFiles } from "./discover/job-files";
import { readFileBytes } from "./file-access";
import { type FileVersion, leaveLargeFile, refuseFiles, tellTrials, watchLargeFiles } from "./large-files";

const NAME = "alpha__aaaaaaa";
const LARGE = "x".repeat(1 << 20);

function stampOf(path: string): string {
  const { mtimeNs, size, ino } = statSync(path, { bigint: true });
  return `${mtimeNs}:${size}:${ino}`;
}

afterEach(() => refuseFiles([]));

it("a trial whose file was set aside stays in its job with an issue, and is read again once the file changed", async () => {
  const result = { ...trialResult(NAME, 1), note: LARGE };
  const folder = makeFolder({ ...jobFiles("run", { [NAME]: 1 }), [`run/${NAME}/result.json`]: result });
  const path = join(folder, "run", NAME, "result.json");
  refuseFiles([{ path, stamp: stampOf(path), cost: "more than 60 s" }]);
  const { trials, issues } = await dumpFresh([folder]);
  expect(trials).toHaveLength(1);
  expect(issues?.join("\n")).toContain("reader_stopped");
  writeFiles(folder, { [`run/${NAME}/result.json`]: { ...result, note: `${LARGE}.` } });
  expect((await dumpFresh([folder]))["issues"]).toEqual([]);
});

it("readers of a trial's page refuse it too", async () => {
  const folder = makeFolder({ "analysis.json": { summary: LARGE, checks: {} } });
  const path = join(folder, "analysis.json");
  expect((await readAnalysis(folder)).issues).toEqual([]);
  refuseFiles([{ path, stamp: stampOf(path), cost: "more than 60 s" }]);
  expect((await readAnalysis(folder)).issues).toMatchObject([
    { code: "reader_stopped", path: "analysis.json" },
  ]);
});

it("tells of a large file before it is parsed and when the next one is opened", () => {
  const folder = makeFolder({ "large.txt": LARGE, "small.txt": "x" });
  const [root] = prepareRoots([folder]);
  if (root === undefined) throw new Error("A folder that was just made is a root.");
  const seen: (FileVersion | null)[] = [];
  leaveLargeFile();
  watchLargeFiles((file) => seen.push(file));
  for (const file of ["small.txt", "large.txt", "small.txt"]) readFileBytes(root, file, 1 << 21);
  const path = join(folder, "large.txt");
  expect(seen).toEqual([{ path, stamp: stampOf(path) }, null]);
});

it("is at a trial's large result while that is parsed, regardless of its other files", async () => {
  const result = { ...trialResult(NAME, 1), note: LARGE };
  const folder = makeFolder({
    ...jobFiles("run", { [NAME]: 1 }),
    [`run/${NAME}/result.json`]: result,
    [`run/${NAME}/verifier/reward.txt`]: "1",
  });
  let current: FileVersion | null = null;
  watchLargeFiles((file) => (current = file));
  const parsedAt: (FileVersion | null)[] = [];
  const { parse } = JSON;
  vi.spyOn(JSON, "parse").mockImplementation((text: string) => {
    if (text.length > LARGE.length) parsedAt.push(current);
    return parse(text) as unknown;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await dumpFresh([folder]);
  expect(parsedAt).toMatchObject([{ path: join(folder, "run", NAME, "result.json") }]);
});

it("a trial whose reading was set aside stays in its job as unreadable, and its neighbour as it is", async () => {
  const folder = makeFolder(jobFiles("run", { [NAME]: 1, beta__bbbbbbb: 0 }));
  const path = join(folder, "run", NAME);
  const stamp = `${stampOf(path)} ${stampOf(join(path, "result.json"))}`;
  for (const [reading, states] of [
    ["result", ["finished", "unreadable"]],
    ["derived-details", ["finished", "finished"]],
  ] as const) {
    refuseFiles([{ path: `${path} (${reading})`, stamp, cost: "more than 60 s" }]);
    const { trials, issues } = await dumpFresh([folder]);
    expect(trials?.map((row) => /"state":"(\w+)"/.exec(row)?.[1]).sort()).toEqual(states);
    expect(issues?.join("\n")).toMatch(new RegExp(`reader_stopped.*${NAME}`));
  }
});

it("tells of a trial where it is to, and again once it is done with a large file of it", async () => {
  const result = { ...trialResult(NAME, 1), note: LARGE };
  const folder = makeFolder({ ...jobFiles("run", { [NAME]: 1 }), [`run/${NAME}/result.json`]: result });
  const seen: (string | undefined)[] = [];
  tellTrials(true);
  onTestFinished(() => tellTrials(false));
  watchLargeFiles((file) => seen.push(file?.path));
  await dumpFresh([folder]);
  const path = join(folder, "run", NAME);
  const trial = `${path} (result)`;
  expect(seen.slice(0, 3)).toEqual([trial, join(path, "result.json"), trial]);
  expect(seen.at(-1)).toBeUndefined();
});

it("the files of a job are not blamed for the time that is spent on what they say", () => {
  const folder = makeFolder({ "run/result.json": { ...jobResult({ [NAME]: 1 }), note: LARGE } });
  const [root] = prepareRoots([folder]);
  const seen: (FileVersion | null)[] = [];
  watchLargeFiles((file) => seen.push(file));
  onTestFinished(() => watchLargeFiles(() => undefined));
  if (root !== undefined) readJobFiles(root, "run");
  expect(seen).toMatchObject([{ path: join(folder, "run", "result.json") }, null]);
});
