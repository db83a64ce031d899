import { join } from "node:path";

import { forgetIndex, type IndexRun, readIndexRun, runIndex } from "./assay.ts";
import { runChild } from "./child.ts";
import type { DataSet } from "./data-set.ts";
import { dropPageCache } from "./page-cache.ts";
import type { PartResult } from "./report.ts";
import { computeSpread, formatFigure, formatMegabytes, formatSpread } from "./samples.ts";

const BARE_LOOP = join(import.meta.dirname, "bare-loop.ts");

interface Contest {
  readonly set: DataSet;
  readonly cache: "warm" | "dropped";
  readonly bare: IndexRun[];
  readonly index: IndexRun[];
}

/** Building an index from nothing against the bare loop over the same files, in turns. */
export async function measureIndex(
  sets: readonly DataSet[],
  runs: number,
  dropsCache: boolean,
): Promise<PartResult> {
  const failures = new Set<string>();
  const mayDrop = dropsCache && dropPageCache();
  const caches = mayDrop ? (["warm", "dropped"] as const) : (["warm"] as const);
  const contests = sets.flatMap((set) =>
    caches.map((cache): Contest => ({ set, cache, bare: [], index: [] })),
  );
  for (const set of sets) await runBareLoop(set);
  for (let run = 0; run < runs; run += 1) {
    for (const contest of contests) await runContest(contest, run, failures);
  }
  const notes = [
    "Trials a second are of the whole process, its start included; the bare loop lists the folders, reads every " +
      "result.json and parses it with JSON.parse, on one thread a processor, and keeps nothing.",
    mayDrop
      ? "Dropped: the machine's page cache was emptied before each run. Warm: every file had been read before."
      : "Runs with a dropped page cache were not allowed here or not asked for.",
  ];
  return {
    tables: [{ title: "Cold index", notes, columns: COLUMNS, rows: contests.map(formatContest) }],
    raw: contests.map(({ set, cache, bare, index }) => ({ set: set.label, cache, bare, index })),
    failures: [...failures],
  };
}

async function runBareLoop(set: DataSet): Promise<IndexRun> {
  return readIndexRun(await runChild(process.execPath, [BARE_LOOP, set.folder]), set);
}

/** One run of both; who is first changes with every run. */
async function runContest(contest: Contest, run: number, failures: Set<string>): Promise<void> {
  const { set, cache } = contest;
  const data = `${set.data}-cold`;
  // Reading the files once makes the cache warm again after it was dropped.
  if (cache === "warm") await runBareLoop(set);
  const steps = [
    async () => contest.bare.push(await runBareLoop(set)),
    async () => contest.index.push(await runIndex(set, data)),
  ];
  for (const step of run % 2 === 0 ? steps : steps.reverse()) {
    forgetIndex(data);
    if (cache === "dropped") dropPageCache();
    try {
      await step();
    } catch (error) {
      failures.add(`${set.label}, ${cache}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  forgetIndex(data);
}

const COLUMNS = [
  "trials",
  "page cache",
  "bare loop, trials/s",
  "index, trials/s",
  "index takes, s",
  "times the bare loop",
  "peak memory, MB",
];

function formatContest({ set, cache, bare, index }: Contest): string[] {
  const rate = (run: IndexRun): number => run.trials / run.wallSeconds;
  const wall = (list: readonly IndexRun[]) => computeSpread(list.map((run) => run.wallSeconds));
  const ratio = (wall(index)?.median ?? Number.NaN) / (wall(bare)?.median ?? Number.NaN);
  const memory = index.flatMap(({ peakBytes }) => (peakBytes === null ? [] : [peakBytes]));
  return [
    set.label,
    cache,
    formatSpread(computeSpread(bare.map(rate))),
    formatSpread(computeSpread(index.map(rate))),
    formatSpread(wall(index)),
    Number.isFinite(ratio) ? formatFigure(ratio) : "—",
    formatSpread(computeSpread(memory), formatMegabytes),
  ];
}

/** Brings the kept index of every data set up to date before something else is measured on it; says where that failed. */
export async function prepareIndexes(sets: readonly DataSet[]): Promise<string[]> {
  const failures: string[] = [];
  for (const set of sets) {
    try {
      await runIndex(set);
    } catch (error) {
      failures.push(`${set.label}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failures;
}
