import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { findProjectRoot } from "../lib/read/processes/project-root.ts";
import { runChild } from "./child.ts";

/** Where everything of the harness is kept between calls. */
export const BENCH_FOLDER = join(findProjectRoot(), ".assay", "bench");
const GENERATOR = join(findProjectRoot(), "dist", "sample-jobs.js");
/** Blocks of four small files and three folders, measured with du. */
const BYTES_PER_TRIAL = 33_000;

/** A folder of synthetic jobs. */
export interface DataSet {
  /** Its name in the report. */
  readonly label: string;
  readonly trials: number;
  /** Folder of jobs. */
  readonly folder: string;
  /** Data folder whose index is kept between measurements. */
  readonly data: string;
  readonly jobs: readonly string[];
}

/** Names of the trial folders of a job. */
export function listTrials(set: DataSet, job: string): string[] {
  return readdirSync(join(set.folder, job), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

/**
 * The folder of `trials` trials, written now unless this very generator has written it whole before. With `oneJob` all
 * trials are in one job, otherwise a job holds 1,000.
 *
 * @throws Error when the disk is too small or the generator fails
 */
export async function prepareDataSet(trials: number, oneJob = false): Promise<DataSet> {
  const count = trials.toLocaleString("en-US");
  const name = oneJob ? `${trials}-one-job` : String(trials);
  const folder = join(BENCH_FOLDER, "sets", name);
  const stamp = `${folder}.sha256`;
  const fingerprint = createHash("sha256").update(readFileSync(GENERATOR)).digest("hex");
  const isWritten = existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint;
  if (!isWritten || countTrials(folder) !== trials) {
    await writeDataSet(folder, trials, oneJob);
    writeFileSync(stamp, fingerprint);
  }
  return {
    label: oneJob ? `${count} in one job` : count,
    trials,
    folder,
    data: join(BENCH_FOLDER, "data", name),
    jobs: listFolders(folder),
  };
}

async function writeDataSet(folder: string, trials: number, oneJob: boolean): Promise<void> {
  const fresh = `${folder}.new`;
  rmSync(`${folder}.sha256`, { force: true });
  for (const old of [folder, fresh]) rmSync(old, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const { bavail, bsize } = statfsSync(fresh);
  if (bavail * bsize < trials * BYTES_PER_TRIAL * 1.1) {
    throw new Error(`${trials} trials need ${Math.ceil((trials * BYTES_PER_TRIAL) / 1e9)} GB of disk`);
  }
  process.stderr.write(`Writing ${trials} synthetic trials\n`);
  const one = oneJob ? ["--jobs", "1"] : [];
  const { code, stderr } = await runChild(process.execPath, [
    GENERATOR,
    fresh,
    "--trials",
    String(trials),
    ...one,
  ]);
  if (code !== 0) throw new Error(`the generator failed: ${stderr.trim()}`);
  renameSync(fresh, folder);
}

function listFolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function countTrials(folder: string): number {
  if (!existsSync(folder)) return 0;
  return listFolders(folder).reduce((sum, job) => sum + listFolders(join(folder, job)).length, 0);
}
