import { utimesSync } from "node:fs";
import { join } from "node:path";

import { type AssayServer, forgetIndex, runIndex, startAssay } from "./assay.ts";
import { type DataSet, listTrials } from "./data-set.ts";
import type { PartResult } from "./report.ts";
import { computeSpread, formatSpread } from "./samples.ts";

const TOUCHED = 100;

interface StartRuns {
  readonly set: DataSet;
  readonly coldMs: number[];
  readonly warmMs: number[];
  readonly rescanSeconds: number[];
  readonly rescanWallSeconds: number[];
  readonly touchedSeconds: number[];
  readonly touchedWallSeconds: number[];
}

/** From nothing to the first page without an index and with one, and looking through a tree that has an index. */
export async function measureStart(sets: readonly DataSet[], runs: number): Promise<PartResult> {
  const failures = new Set<string>();
  const attempt = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.add(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const all = sets.map((set): StartRuns => ({
    set,
    coldMs: [],
    warmMs: [],
    rescanSeconds: [],
    rescanWallSeconds: [],
    touchedSeconds: [],
    touchedWallSeconds: [],
  }));
  for (const { set } of all) {
    await attempt(`${set.label}, first start`, async () => {
      await (await startAssay(set)).child.stop();
    });
    await attempt(`${set.label}, index`, async () => {
      await runIndex(set);
    });
  }
  for (let run = 0; run < runs; run += 1) {
    for (const start of all) await runOnce(start, run, attempt);
  }
  return {
    tables: [
      {
        title: "Start and rescan",
        notes: [
          "Starts are from the process to the last byte of the jobs list, in ms: without an index (empty data folder) " +
            "and with one over an unchanged tree. Rescans are `assay index` over a tree with an index, in s: what the " +
            `command says, and in brackets the whole process; touched: ${TOUCHED} result.json with a new time. The page cache is warm.`,
        ],
        columns: [
          "trials",
          "first start, ms",
          "second start, ms",
          "rescan, s",
          "rescan, process s",
          "100 touched, s",
          "100 touched, process s",
        ],
        rows: all.map((start) => [
          start.set.label,
          ...[
            start.coldMs,
            start.warmMs,
            start.rescanSeconds,
            start.rescanWallSeconds,
            start.touchedSeconds,
            start.touchedWallSeconds,
          ].map((values) => formatSpread(computeSpread(values))),
        ]),
      },
    ],
    raw: all.map(({ set, ...values }) => ({ set: set.label, ...values })),
    failures: [...failures],
  };
}

type Attempt = (name: string, work: () => Promise<void>) => Promise<void>;

async function runOnce(start: StartRuns, run: number, attempt: Attempt): Promise<void> {
  const { set } = start;
  const time = async (data: string, into: number[]): Promise<void> => {
    const server: AssayServer = await startAssay(set, data);
    into.push(server.firstPageMs);
    await server.child.stop();
  };
  const cold = `${set.data}-cold`;
  forgetIndex(cold);
  await attempt(`${set.label}, first start`, () => time(cold, start.coldMs));
  forgetIndex(cold);
  await attempt(`${set.label}, second start`, () => time(set.data, start.warmMs));
  await attempt(`${set.label}, rescan`, async () => {
    const { seconds, wallSeconds, read } = await runIndex(set);
    if (read !== null && read !== 0) throw new Error(`${read} trials of an unchanged tree were read`);
    start.rescanSeconds.push(seconds);
    start.rescanWallSeconds.push(wallSeconds);
  });
  await attempt(`${set.label}, rescan of touched files`, async () => {
    touchTrials(set, run);
    const { seconds, wallSeconds, read } = await runIndex(set);
    if (read !== null && read < TOUCHED) throw new Error(`${read} of ${TOUCHED} touched trials were read`);
    start.touchedSeconds.push(seconds);
    start.touchedWallSeconds.push(wallSeconds);
  });
}

/** Gives 100 files spread over all jobs the present time. */
function touchTrials(set: DataSet, run: number): void {
  const now = new Date();
  for (let place = 0; place < TOUCHED; place += 1) {
    const job = set.jobs[Math.floor((place * set.jobs.length) / TOUCHED)] ?? "";
    const trials = listTrials(set, job);
    const trial = trials[(place * 7 + run) % trials.length] ?? "";
    utimesSync(join(set.folder, job, trial, "result.json"), now, now);
  }
}
