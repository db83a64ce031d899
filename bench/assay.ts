import { rmSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { findProjectRoot } from "../lib/read/processes/project-root.ts";
import { type Child, type Exit, runChild, startChild } from "./child.ts";
import type { DataSet } from "./data-set.ts";
import { requestPage } from "./load.ts";

const CLI = join(findProjectRoot(), "dist", "cli.js");
const START_TIMEOUT_MS = 600_000;

/** The part of `assay.index/2` that is measured; the bare loop says the same of itself. */
const indexReport = z.looseObject({
  n_trials: z.number(),
  seconds: z.number(),
  n_trials_read: z.number().optional(),
  is_followed: z.boolean().optional(),
});

/** One run of `assay index`. */
export interface IndexRun {
  readonly trials: number;
  /** As the command says it. */
  readonly seconds: number;
  /** From spawn to exit. */
  readonly wallSeconds: number;
  /** Trials whose files were read; null when it does not say. */
  readonly read: number | null;
  readonly peakBytes: number | null;
}

/**
 * Brings the index of a data set up to date.
 *
 * @throws Error when the command fails, is not there, or does not say what it did
 */
export async function runIndex(set: DataSet, data: string = set.data): Promise<IndexRun> {
  const args = [CLI, "index", set.folder, "--data", data, "--json"];
  return readIndexRun(await runChild(process.execPath, args), set);
}

/** What an ended `assay index` says. */
export function readIndexRun({ code, stdout, stderr, wallMs, peakBytes }: Exit, set: DataSet): IndexRun {
  if (code !== 0) throw new Error(`assay index ended with ${code}: ${stderr.trim().slice(0, 300)}`);
  const report = indexReport.parse(JSON.parse(stdout));
  if (report.n_trials !== set.trials) throw new Error(`it found ${report.n_trials} of ${set.trials} trials`);
  if (report.is_followed === true) throw new Error("another process has the data folder");
  return {
    trials: report.n_trials,
    seconds: report.seconds,
    wallSeconds: wallMs / 1000,
    read: report.n_trials_read ?? null,
    peakBytes,
  };
}

/** Removes an index, so that the next one is built from nothing. */
export function forgetIndex(data: string): void {
  rmSync(data, { recursive: true, force: true });
}

/** A server that answers. */
export interface AssayServer {
  readonly url: string;
  /** From spawn to the last byte of the first page. */
  readonly firstPageMs: number;
  /** From spawn to the line that says the address. */
  readonly readyMs: number;
  readonly child: Child;
}

/** Serves a data set on a free port, and asks for the first page. */
export async function startAssay(set: DataSet, data: string = set.data): Promise<AssayServer> {
  const args = [CLI, "view", set.folder, "--port", "0", "--data", data];
  const child = startChild(process.execPath, args);
  try {
    const [, url = ""] = await child.waitFor(/Assay is at (http\S+)/, START_TIMEOUT_MS);
    const readyMs = performance.now() - child.startedAt;
    const page = await requestPage(new URL("/", url), { timeoutMs: START_TIMEOUT_MS });
    if (page.status !== 200) throw new Error(`the first page answered ${page.status}`);
    return { url, readyMs, firstPageMs: performance.now() - child.startedAt, child };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
