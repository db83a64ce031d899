import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { expect, it, onTestFinished } from "vitest";

import { runCli } from "@/lib/cli/run-cli";
import {
  createQueue,
  listQueues,
  openAnnotationStore,
  readQueue,
  resolveAnnotationTarget,
  takeNext,
} from "@/lib/people/annotations";
import { SETTINGS, subjectOf } from "@/lib/people/annotations/queues/queue.fixture";

import { makeTrailer } from "./read-backup";

const freshPath = (name: string) => join(mkdtempSync(join(tmpdir(), "lost-queue-")), name);

function openStore(data: string) {
  const store = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: data }));
  onTestFinished(() => store.close());
  return store;
}

/** Runs the command line tool, and returns what it warns of. */
async function run(data: string, ...args: readonly string[]): Promise<string> {
  let warnings = "";
  const once = () => undefined;
  const code = await runCli(args, {
    stdout: { write: () => true, once },
    stderr: { write: (text: string) => ((warnings += text), true), once },
    env: { ASSAY_DATA: data },
  });
  expect(code).toBe(0);
  return warnings;
}

function readLines(file: string): readonly string[] {
  return gunzipSync(readFileSync(file)).toString().trim().split("\n").slice(0, -1);
}

it("a queue whose own row is missing in a backup is named, keeps its trials, and stops no other queue", async () => {
  const [here, there] = [freshPath("data"), freshPath("data")];
  const [file, without, again] = [freshPath("whole"), freshPath("without"), freshPath("again")];
  const store = openStore(here);
  const make = (...places: readonly number[]) =>
    createQueue(store, {
      settings: SETTINGS,
      items: places.map((place) => ({ subject: subjectOf(place), nReviewers: 1 as const })),
      author: "Ada",
    });
  const [lost, other] = [await make(0, 1), await make(2)];
  await run(here, "backup", file);
  const kept = readLines(file).filter((line) => !line.includes(`"${lost}","queue"`));
  expect(readLines(file).length - kept.length).toBe(1);
  const bytes = gzipSync(kept.map((line) => `${line}\n`).join(""));
  const hash = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(without, Buffer.concat([bytes, makeTrailer(hash)]));

  expect(await run(there, "restore", without)).toContain(`The queue ${lost} cannot be read.`);
  const restored = openStore(there);
  expect(await listQueues(restored)).toMatchObject({
    queues: [{ queueId: other }],
    unreadable: [{ queueId: lost }],
  });
  await expect(readQueue(restored, lost)).rejects.toMatchObject({ code: "queue_unreadable" });
  await run(there, "backup", again);
  // But for the time of the backup.
  expect(readLines(again).slice(1)).toEqual(kept.slice(1));
  expect(await takeNext(restored, { queueId: other, reviewerId: "Ben", from: null })).toMatchObject({
    kind: "item",
    lease: { position: 0 },
  });
});
