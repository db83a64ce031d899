import { hash } from "node:crypto";
import { basename, relative } from "node:path";

import { compareText } from "@/lib/domain/compare-text";
import type { TrialRecord } from "@/lib/domain/trial";

import { discoverJobs } from "./discover/discover";
import { readJob } from "./harbor/read-job";
import { MemoryBudget } from "./memory-budget";
import { logReads } from "./read-log";
import { StringPool } from "./string-pool";

/** A file by its path relative to the folder of its job, with `/`. */
export interface HashedFile {
  readonly path: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** A job with the hash of every file that its figures are computed from. */
export interface HashedJob {
  /** Relative to the root; empty for the root itself. */
  readonly folder: string;
  /** As its result.json states it. */
  readonly uuid: string | null;
  /** In the order of their paths. */
  readonly files: readonly HashedFile[];
  /** SHA-256 of all of them: of lines as `sha256sum` writes them, in that order. */
  readonly sha256: string;
  /** {@link hashResults} of each evals group. */
  readonly results: readonly { readonly group: string; readonly sha256: string }[];
}

/**
 * Reads jobs once more, and hashes every file of which something is read: results, configs, locks and reward files.
 *
 * @param rootPath - real absolute path of the opened folder
 * @param folders - of the jobs, relative to it; one that holds none gives nothing
 * @throws ReadingError when a file changed while it was read
 */
export function hashJobs(rootPath: string, folders: readonly string[]): readonly HashedJob[] {
  const root = { index: 0, label: basename(rootPath), path: rootPath };
  const asked = new Set(folders);
  const found = discoverJobs(root).jobs.filter(({ folder }) => asked.has(folder));
  const shared = { root, pool: new StringPool(), budget: new MemoryBudget(), nowMs: Date.now() };
  return found.flatMap((discovered) => {
    const { value, files } = logReads(() => readJob(shared, discovered, null));
    const hashed = Array.from(files, ([path, sha256]) => ({
      path: relative(`${rootPath}/${discovered.folder}`, path),
      sha256,
    }));
    hashed.sort((a, b) => compareText(a.path, b.path));
    const list = hashed.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("");
    const sha256 = hash("sha256", list, "hex");
    return value.drafts.map(({ job, trials }) => ({
      folder: job.folder,
      uuid: job.uuid,
      files: hashed,
      sha256,
      results: Array.from(
        Map.groupBy(trials, ({ groupKey }) => groupKey),
        ([group, own]) => ({ group, sha256: hashResults(own) }),
      ),
    }));
  });
}

/** As `toColumnText` of lib/database has it. */
function toKept(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** What figures are computed from; rewards of no verifier and no rewards are the same to them. */
type CountedResult = Pick<TrialRecord, "key" | "state"> & {
  readonly rewards: ReadonlyMap<string, bigint | number | boolean> | null;
};

/**
 * Returns a SHA-256 of the states and rewards of trials, whatever their order: whether two readings found the same. Texts count as
 * a database keeps them, since one of the readings may come from there.
 */
export function hashResults(trials: readonly CountedResult[]): string {
  const lines = trials.map(({ key, state, rewards }) => {
    const values = Array.from(rewards ?? [], ([name, value]) => `${toKept(name)} ${String(Number(value))}`);
    return JSON.stringify([toKept(key), state, values.toSorted(compareText)]);
  });
  return hash("sha256", lines.toSorted(compareText).join("\n"), "hex");
}
