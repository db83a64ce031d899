import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { Client } from "pg";
import { expect, it, onTestFinished, vi } from "vitest";

import { StoreError } from "@/lib/core/domain/app-error";
import { startOwnPostgres } from "@/lib/store/database/postgres.fixture";
import { bundleAnnotations } from "@/lib/testing/bundle.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { type AnnotationStore, listAll, openAnnotationStore } from "./index";
import { subjectOf } from "./queues/queue.fixture";

const { numRuns: ROUNDS } = planRuns({ short: 1, long: 100 });
const WRITERS = 3;
/** Confirmed saves between two blows, and reads. */
const [MORE_SAVES, MORE_READS] = [10, 2];
const NOTES = "n".repeat(2_000);

/** Saves for ever, each until it is confirmed twice, as if the first answer were lost; a line before the first try and at the first confirmation. */
const writeProgram = (annotations: string, url: string) => `
  import { randomUUID } from "node:crypto";
  import { setTimeout } from "node:timers/promises";
  import { createAnnotation, openAnnotationStore } from ${JSON.stringify(annotations)};
  const store = openAnnotationStore({ engine: "postgres", url: ${JSON.stringify(url)}, schema: "assay" });
  const subject = ${JSON.stringify(subjectOf(1))};
  for (;;) {
    const saveId = randomUUID();
    const draft = { reviewerId: saveId, reviewerDiscipline: null, judgment: "fail", categories: [saveId.slice(0, 1)], notes: ${JSON.stringify(NOTES)} };
    process.stdout.write("tried " + saveId + "\\n");
    for (let nTries = 1, nConfirmed = 0; nConfirmed < 2; nTries++) {
      try {
        await createAnnotation(store, { subject, draft, baseVersionId: null, saveId });
        if (nConfirmed++ === 0) process.stdout.write("saved " + saveId + " " + nTries + "\\n");
      } catch (error) {
        if (error.code !== "store_unavailable" && error.code !== "store_locked") throw error;
        await setTimeout(5);
      }
    }
  }`;

interface Writer {
  readonly tried: ReadonlySet<string>;
  readonly saved: ReadonlySet<string>;
  readonly nRetried: () => number;
  /** Kills it in the middle of its work. */
  readonly kill: () => Promise<void>;
  readonly isAlive: () => boolean;
}

function startWriter(program: string): Writer {
  const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [tried, saved] = [new Set<string>(), new Set<string>()];
  let nRetried = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [what, id = "", nTries = ""] = line.split(" ");
    (what === "tried" ? tried : saved).add(id);
    if (Number(nTries) > 1) nRetried++;
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const kill = async () => {
    const closed = isAlive() ? once(child, "close") : null;
    child.kill("SIGKILL");
    await closed;
  };
  onTestFinished(kill);
  return { tried, saved, nRetried: () => nRetried, kill, isAlive };
}

/** Reads for ever with one store. @returns how often that went well, how often not, and its end */
function readForever(store: AnnotationStore) {
  const counts = { good: 0, refused: 0 };
  const ended = new AbortController();
  const work = (async () => {
    while (!ended.signal.aborted) {
      try {
        await listAll(store);
        counts.good++;
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        counts.refused++;
        await new Promise(setImmediate);
      }
    }
  })();
  const end = () => {
    ended.abort();
    return work;
  };
  return { counts, end };
}

it(
  "no confirmed save is lost, doubled or half there while connections and the whole server are killed again and again",
  async () => {
    const server = await startOwnPostgres();
    const target = { engine: "postgres", url: server.url, schema: "assay" } as const;
    const store = openAnnotationStore(target);
    onTestFinished(() => store.close().catch(() => undefined));
    const program = writeProgram(await bundleAnnotations(), server.url);
    const writers = Array.from({ length: WRITERS }, () => startWriter(program));
    const reader = readForever(store);
    const countSaved = () => writers.reduce((sum, { saved }) => sum + saved.size, 0);
    const waitForMore = async () => {
      const [nSaved, nRead] = [countSaved() + MORE_SAVES, reader.counts.good + MORE_READS];
      await vi.waitFor(
        () => {
          expect(writers.every(({ isAlive }) => isAlive())).toBe(true);
          expect(countSaved()).toBeGreaterThanOrEqual(nSaved);
          expect(reader.counts.good).toBeGreaterThanOrEqual(nRead);
        },
        { timeout: 60_000, interval: 5 },
      );
    };
    let nTerminated = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await waitForMore();
      const admin = new Client({ connectionString: server.url });
      await admin.connect();
      const { rowCount } = await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assay'",
      );
      nTerminated += rowCount ?? 0;
      await admin.end();
      await waitForMore();
      await server.killAll();
      await server.startAgain();
    }
    await waitForMore();
    await Promise.all(writers.map(({ kill }) => kill()));
    await reader.end();

    const trials = await listAll(store);
    const versions = trials.flatMap(({ chains }) => chains.flatMap((chain) => chain.versions));
    const ids = versions.map(({ versionId }) => versionId);
    const stored = new Set(ids);
    expect(stored.size).toBe(ids.length);
    const tried = new Set(writers.flatMap((writer) => [...writer.tried]));
    const saved = writers.flatMap((writer) => [...writer.saved]);
    expect(saved.filter((id) => !stored.has(id))).toEqual([]);
    expect(ids.filter((id) => !tried.has(id))).toEqual([]);
    for (const { versionId, notes, categories } of versions)
      expect([notes, categories]).toEqual([NOTES, [versionId.slice(0, 1)]]);
    expect(nTerminated).toBeGreaterThan(0);
    const nRetried = writers.reduce((sum, writer) => sum + writer.nRetried(), 0);
    if (ROUNDS > 1)
      console.log(
        `${ROUNDS} kills of the server, ${nTerminated} of connections: ${saved.length} confirmed saves, ${nRetried} after retries, ` +
          `${reader.counts.good} reads, ${reader.counts.refused} refused`,
      );
  },
  60_000 * ROUNDS,
);
