import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { expect, it, onTestFinished, vi } from "vitest";

import type { JobEntry } from "@/lib/core/domain/catalog";
import { prepareRoots, verifyDraft } from "@/lib/read/catalog";
import { type FileVersion, leaveTrial, tellTrials, watchLargeFiles } from "@/lib/read/loader/large-files";
import { tellParent } from "@/lib/read/processes/serve";
import { addSource } from "@/lib/store/tables";
import { jobFiles, makeFolder, readOnlyJob } from "@/lib/testing/folder.fixture";
import { makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import { FolderFinder } from "./find-sources";
import { prepareContent, prepareFoundSource } from "./prepare-content";
import { SourceReader, type SourceTask } from "./reader";

const NAMES = Array.from({ length: 30 }, (_, at) => `task${at % 6}__${String(at).padStart(7, "0")}`);
const FILES = jobFiles("run", Object.fromEntries(NAMES.map((name, at) => [name, at % 2])));

/** Tells which file is at work: null when none is. */
function watchFiles(): () => FileVersion | null {
  let current: FileVersion | null = null;
  leaveTrial();
  watchLargeFiles((file) => (current = file));
  onTestFinished(() => watchLargeFiles(() => undefined));
  return () => current;
}

/** A job whose result.json is large enough to be reported, found and ready to be read. */
async function openLargeJob() {
  const folder = makeFolder({
    ...FILES,
    "run/result.json": JSON.stringify({ ...(FILES["run/result.json"] as object), note: "x".repeat(1 << 20) }),
  });
  const { store, roots } = await openHere([folder], makeDataFolder());
  const finder = new FolderFinder(roots);
  await finder.loadOnce(store);
  return { store, finder };
}

/** The same, found and listed. */
async function findLargeJob() {
  const { store, finder } = await openLargeJob();
  const [found] = finder.find().added;
  if (found === undefined) throw new Error("no job");
  const { root, discovered } = found;
  const sourceId = await addSource(store, prepareFoundSource(root, discovered));
  const task: SourceTask = { sourceId, root, discovered, summation: "cpython-3.12", nowMs: Date.now() };
  return { store, task };
}

it("no file is blamed for the time that passes after a search for jobs, which recognises them by their files", async () => {
  const { finder } = await openLargeJob();
  const current = watchFiles();
  expect(finder.find().added).toHaveLength(1);
  expect(current()).toBeNull();
});

it("a job that is computed and written reports progress without a file", async () => {
  const { store, task } = await findLargeJob();
  const current = watchFiles();
  // As on a machine on which every single step takes longer than may pass between two reports.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
  onTestFinished(() => void vi.restoreAllMocks());
  let nRead = 0;
  const files: (FileVersion | null)[] = [];
  await new SourceReader(store).run({ kind: "read", task }, (n) => {
    nRead += n;
    if (nRead === NAMES.length) files.push(current());
  });
  // The columns and the record of each trial are written, and the last one was read before.
  expect(files.length).toBeGreaterThan(2 * NAMES.length);
  expect(new Set(files)).toEqual(new Set([null]));
});

it("a second try continues with the next trial once its last results were taken", async () => {
  const { store, task } = await findLargeJob();
  const sentFiles: string[] = [];
  const taken: (() => void)[] = [];
  const own = { send: process.send?.bind(process), connected: process.connected };
  // A channel that is always full: what this process says otherwise is the test runner's.
  const send = (message: object, sent?: () => void): boolean => {
    if (!("kind" in message)) return own.send?.(message) ?? true;
    if (sent !== undefined) taken.push(sent);
    if ("file" in message && message.file !== null) sentFiles.push(JSON.stringify(message.file));
    return false;
  };
  Object.assign(process, { send, connected: true });
  watchLargeFiles((file) => tellParent({ kind: "at-file", file }));
  tellTrials(true);
  onTestFinished(() => {
    // Nothing is behind for the tests that follow.
    Object.assign(process, { send: () => true });
    tellParent({ kind: "progress", n: 0 });
    Object.assign(process, own);
    tellTrials(false);
    watchLargeFiles(() => undefined);
  });
  const reading = new SourceReader(store).run({ kind: "read", task }, () => undefined);
  for (const [at, folder] of task.discovered.trialFolders.entries()) {
    await vi.waitFor(() => expect(taken).toHaveLength(1), { interval: 1 });
    expect(sentFiles).toHaveLength(at + 1);
    expect(sentFiles.at(-1)).toContain(folder);
    taken.shift()?.();
  }
  const takeAll = setInterval(() => taken.splice(0).forEach((sent) => sent()), 1);
  await reading;
  clearInterval(takeAll);
});

/** The job with as many trials, each with names, times and numbers of its own, as the indexer has it. */
function makeEntry(job: JobEntry, nTrials: number) {
  const trials = Array.from({ length: nTrials }, (_, at) => {
    const [first] = job.trials;
    if (first === undefined) throw new Error("no trial");
    const taskName = `some-task-of-a-benchmark-${at >> 3}`;
    const trialName = `${taskName}__${String(at).padStart(7, "0")}`;
    const startedAt = {
      text: `2026-05-01T10:00:00.${at}Z`,
      epochMs: 1_777_629_600_000 + at / 7,
      zoned: true,
    };
    return {
      ...first,
      ...{ taskName, trialName, key: trialName, folder: `run/${trialName}`, id: `id-of-the-trial-${at}` },
      time: { startedAt, finishedAt: { ...startedAt, text: `${startedAt.text} ` } },
      tokens: { ...first.tokens, inputTokens: 1e6 + at, costUsd: at / 3 },
      resultDigest: String(at * Math.PI).padEnd(32, "0"),
    };
  });
  return { ...job, trials };
}

const N_TRIALS = IS_LONG_RUN ? 4000 : 2000;

it("a trial of a large job takes little memory while its job is computed and written", () => {
  const folder = makeFolder(FILES);
  const [root] = prepareRoots([folder]);
  const job = readOnlyJob(folder);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // Given by the flag.
  const held: unknown[] = [];
  const measure = (nTrials: number): number => {
    collect();
    const before = process.memoryUsage();
    const entry: JobEntry = verifyDraft(root, makeEntry(job, nTrials), "run", {
      summation: "cpython-3.12",
    });
    held.push(entry, prepareContent(entry, "jobs"));
    collect();
    const after = process.memoryUsage();
    return after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  };
  measure(1000);
  // Takes the median, because work of earlier tests may end during one measurement.
  const [, bytes] = [1, 2, 3]
    .map(() => (measure(N_TRIALS * 2) - measure(N_TRIALS)) / N_TRIALS)
    .toSorted((a, b) => a - b);
  // 300,000 of them within what a process may take.
  expect(bytes).toBeLessThan(5000);
});
