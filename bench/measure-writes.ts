import { setTimeout as wait } from "node:timers/promises";

import { z } from "zod";

import { forgetIndex, runIndex } from "./assay.ts";
import { bundleScript } from "./bundle.ts";
import { type Child, startChild } from "./child.ts";
import type { DataSet } from "./data-set.ts";
import type { PartResult } from "./report.ts";
import { computeLatency, formatFigure } from "./samples.ts";

const ALONE_MS = 3_000;
const ROWS = ["nothing else", "cold index", "rescan"] as const;

/** How long saving a judgment takes with nothing else going on, and while the same data folder is indexed. */
export async function measureWrites(sets: readonly DataSet[], runs: number): Promise<PartResult> {
  const writer = await bundleScript("annotation-writer");
  const failures = new Set<string>();
  const times = sets.map((set) => ({
    set,
    saves: new Map<string, number[]>(ROWS.map((row) => [row, []])),
  }));
  for (let run = 0; run < runs; run += 1) {
    for (const { set, saves } of times) {
      const data = `${set.data}-writes`;
      forgetIndex(data);
      const steps = [() => wait(ALONE_MS), () => runIndex(set, data), () => runIndex(set, data)];
      for (const [place, step] of steps.entries()) {
        const row = ROWS[place] ?? "";
        try {
          saves.get(row)?.push(...(await saveDuring(writer, data, step)));
        } catch (error) {
          failures.add(`${set.label}, ${row}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      forgetIndex(data);
    }
  }
  const rows = times.flatMap(({ set, saves }) =>
    [...saves].map(([row, values]) => {
      const latency = computeLatency(values);
      const figures =
        latency === null
          ? ["—", "—", "—", "—"]
          : [latency.p50, latency.p95, latency.p99, latency.max].map(formatFigure);
      return [set.label, row, String(values.length), ...figures];
    }),
  );
  return {
    tables: [
      {
        title: "Saving a judgment",
        notes: [
          "Milliseconds of one save through lib/people/annotations in a process of its own, one about every 5 ms, all runs together.",
        ],
        columns: ["trials", "during", "saves", "p50", "p95", "p99", "max"],
        rows,
      },
    ],
    raw: times.map(({ set, saves }) => ({ set: set.label, savesMs: Object.fromEntries(saves) })),
    failures: [...failures],
  };
}

/** Times of the saves that were made while `work` went on. */
async function saveDuring(writer: string, data: string, work: () => Promise<unknown>): Promise<number[]> {
  const child: Child = startChild(process.execPath, [writer, data]);
  try {
    await child.waitFor(/ready/, 30_000);
    await work();
    child.process.stdin?.end();
    const { stdout, code, stderr } = await child.exited;
    if (code !== 0) throw new Error(`saving failed: ${stderr.trim().slice(0, 300)}`);
    return z.array(z.number()).parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
  } finally {
    await child.stop();
  }
}
