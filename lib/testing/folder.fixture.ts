import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { onTestFinished } from "vitest";

import type { JobEntry } from "@/lib/core/domain/catalog";
import { readCatalog } from "@/lib/read/catalog/read-catalog";

/** Files by path; a value that is no text or bytes is written as JSON. */
export type FolderFiles = Readonly<Record<string, unknown>>;

/** A new folder that is deleted after the test, with `files` in it. */
export function makeFolder(files: FolderFiles, name = "jobs"): string {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "assay-")));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, name);
  mkdirSync(folder);
  writeFiles(folder, files);
  return folder;
}

/** Gives up the superuser's rights until the test ends, so that the permissions of what it makes afterwards count. */
export function dropRights(): void {
  if (process.getuid?.() !== 0) return;
  process.seteuid?.("nobody");
  onTestFinished(() => process.seteuid?.(0));
}

/** Adds files to a folder, making the folders they lie in. A path that ends in `/` makes an empty folder. */
export function writeFiles(folder: string, files: FolderFiles): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(path.endsWith("/") ? target : dirname(target), { recursive: true });
    if (path.endsWith("/")) continue;
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(target, isRaw ? content : JSON.stringify(content, null, 2));
  }
}

/** Codes of all issues with the path below the root's label, sorted. */
export function listIssues(folder: string): string[] {
  return readCatalog({ roots: [folder] }).issues.map(({ code, path }) => `${code} ${path}`);
}

/** The only job below `folder`. */
export function readOnlyJob(folder: string, now?: () => number): JobEntry {
  const { jobs } = readCatalog({ roots: [folder], now });
  const [job] = jobs;
  if (job === undefined || jobs.length !== 1) throw new Error(`expected one job, found ${jobs.length}`);
  return job;
}

/** A job's result.json of Harbor 0.13.1 for one evals group; `over` replaces top-level fields. */
export function jobResult(trials: Readonly<Record<string, number>>, over: FolderFiles = {}): FolderFiles {
  const names = Object.keys(trials);
  const byValue = Object.groupBy(names, (name) => (trials[name] ?? 0).toFixed(1));
  const mean = Object.values(trials).reduce((sum, value) => sum + value, 0) / names.length;
  return {
    id: "11111111-1111-4111-8111-111111111111",
    started_at: "2026-05-01T10:00:00.000000",
    updated_at: "2026-05-01T11:00:00.000000",
    finished_at: "2026-05-01T11:00:00.000000",
    n_total_trials: names.length,
    stats: {
      n_completed_trials: names.length,
      n_errored_trials: 0,
      evals: {
        orca__m1__bench: {
          n_trials: names.length,
          n_errors: 0,
          metrics: [{ mean }],
          pass_at_k: {},
          reward_stats: { reward: byValue },
          exception_stats: {},
        },
      },
    },
    ...over,
  };
}

/** A finished trial's result.json; `over` replaces top-level fields. */
export function trialResult(trialName: string, reward: number | null, over: FolderFiles = {}): FolderFiles {
  return {
    id: `id-of-${trialName}`,
    task_name: trialName.replace(/__\w{7}$/, ""),
    trial_name: trialName,
    trial_uri: "file:///elsewhere",
    task_id: { path: `tasks/${trialName}` },
    source: "bench",
    task_checksum: "ab".repeat(32),
    config: {
      task: { path: `tasks/${trialName.replace(/__\w{7}$/, "")}` },
      trial_name: trialName,
      agent: { name: "orca", model_name: "lab/m1" },
      job_id: "11111111-1111-4111-8111-111111111111",
    },
    agent_info: { name: "orca", version: "1.0", model_info: { name: "m1", provider: "lab" } },
    agent_result: { n_input_tokens: 10, n_cache_tokens: 4, n_output_tokens: 2, cost_usd: 0.5 },
    verifier_result: reward === null ? null : { rewards: { reward } },
    exception_info: null,
    started_at: "2026-05-01T17:00:00Z",
    finished_at: "2026-05-01T17:10:00Z",
    environment_setup: null,
    agent_setup: null,
    agent_execution: { started_at: "2026-05-01T17:01:00Z", finished_at: "2026-05-01T17:09:00Z" },
    verifier: null,
    ...over,
  };
}

/** A whole job folder with result.json, config.json and trials that agree with each other. */
export function jobFiles(
  prefix: string,
  trials: Readonly<Record<string, number>>,
  over: FolderFiles = {},
): FolderFiles {
  const files: Record<string, unknown> = {
    [`${prefix}/result.json`]: jobResult(trials, over),
    [`${prefix}/config.json`]: { job_name: "j", n_attempts: 1, agents: [{ name: "orca" }], datasets: [] },
    [`${prefix}/job.log`]: "",
  };
  for (const [name, reward] of Object.entries(trials)) {
    files[`${prefix}/${name}/result.json`] = trialResult(name, reward);
    files[`${prefix}/${name}/config.json`] = {
      trial_name: name,
      task: { path: `tasks/${name}` },
      trials_dir: prefix,
    };
    files[`${prefix}/${name}/trial.log`] = "";
    files[`${prefix}/${name}/verifier/reward.txt`] = `${reward}\n`;
  }
  return files;
}
