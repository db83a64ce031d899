import { parseInstant } from "./clock";
import { prepareKernelSteps } from "./jobs/kernel-steps";
import { prepareLedger } from "./jobs/ledger";
import { prepareReferenceAgents } from "./jobs/reference-agents";
import { prepareSqlRepair } from "./jobs/sql-repair";
import { prepareSweMini } from "./jobs/swe-mini";
import { prepareBaseline, prepareNext } from "./jobs/terminal-mix";
import {
  addTrialResults,
  damageFiles,
  editMean,
  prepareDamaged,
  prepareEdited,
  prepareInterrupted,
  prepareLegacy,
  prepareRunning,
} from "./jobs/unusual";
import { prepareVoltageDrop } from "./jobs/voltage-drop";
import { Random } from "./random";
import type { JobRecord, SampleFile } from "./record";
import { type FileEdit, prepareChangedFiles, writeFiles } from "./write-job";

export { writeSyntheticJobs } from "./synthetic";

const README = `Sample jobs

Everything below this folder is synthetic: invented tasks, agents, models, machines and outcomes.
It has the layout of real job folders, and of a ledger with reviewers' files, so that the product can
be tried and tested; it says nothing about any real agent or model. A deterministic generator wrote it: the same seed gives the same bytes.
`;

/** The present of the running sample job when the caller gives none. */
const DEFAULT_NOW = new Date("2026-11-20T12:00:00.000Z");

/** Options of the sample set. */
export interface SampleOptions {
  /** Any whole number; 1 by default. The same seed and `now` give the same bytes. */
  readonly seed?: number;
  /** The present of the job that still runs; a fixed date by default. No other job depends on it. */
  readonly now?: Date;
}

interface SampleJob {
  readonly label: string;
  readonly prepare: (rng: Random) => JobRecord;
  readonly change?: (job: JobRecord) => FileEdit;
}

function listJobs(now: Date): SampleJob[] {
  const micros = parseInstant(now.toISOString()) + 371;
  return [
    { label: "baseline", prepare: prepareBaseline },
    { label: "next", prepare: prepareNext },
    { label: "sql-repair", prepare: prepareSqlRepair },
    { label: "kernel-steps", prepare: prepareKernelSteps },
    { label: "voltage-drop", prepare: prepareVoltageDrop },
    { label: "running", prepare: (rng) => prepareRunning(rng, micros) },
    { label: "interrupted", prepare: prepareInterrupted, change: () => addTrialResults },
    { label: "reference", prepare: prepareReferenceAgents },
    { label: "legacy", prepare: prepareLegacy },
    { label: "edited", prepare: prepareEdited, change: () => editMean },
    { label: "swe-mini", prepare: prepareSweMini },
    { label: "damaged", prepare: prepareDamaged, change: damageFiles },
  ];
}

/** Every file of the sample set, relative to its root, without touching a disk. */
export function* prepareSampleFiles(options: SampleOptions = {}): Generator<SampleFile> {
  const rng = new Random(`samples/${options.seed ?? 1}`);
  yield { path: "README.txt", content: README };
  for (const { label, prepare, change } of listJobs(options.now ?? DEFAULT_NOW)) {
    const job = prepare(rng.fork(label));
    yield* prepareChangedFiles(job, change?.(job));
  }
  yield* prepareLedger();
}

/**
 * Writes the product's sample jobs and a README.txt below `dir`, synchronously; `dir` is created when it is missing.
 *
 * Recorded figures are computed by `lib/core/scoring`, so every job verifies as exact except infra-smoke-edited (a mean
 * changed by hand), swe-mini-31 (summed from left to right: off by one ulp) and archive-damaged (unreadable trials).
 */
export function writeSampleJobs(dir: string, options: SampleOptions = {}): void {
  writeFiles(dir, prepareSampleFiles(options));
}
