import { hash } from "node:crypto";
import { basename, relative } from "node:path";

import { compareText } from "@/lib/core/domain/compare-text";
import type { Trial } from "@/lib/core/domain/trial";

import { discoverJobs } from "./discover/discover";
import { readJob } from "./harbor/read-job";
import { MemoryBudget } from "./memory-budget";
import { logReads } from "./read-log";

/**
 * Reads jobs again and hashes every file that was read.
 * @param rootPath - real absolute path of the opened folder
 * @param folders - job folders relative to it; one without a job is skipped
 * @throws ReadingError when a file changed during the read
 */
export function hashJobs(rootPath: string, folders: readonly string[]) {
  const root = { index: 0, label: basename(rootPath), path: rootPath };
  const asked = new Set(folders);
  const found = discoverJobs(root).jobs.filter(({ folder }) => asked.has(folder));
  const shared = { root, budget: new MemoryBudget(), nowMs: Date.now() };
  return found.flatMap((discovered) => {
    const { value, files } = logReads(() => readJob(shared, discovered));
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
      /** SHA-256 of all files in `sha256sum` format, in that order. */
      sha256,
      results: Array.from(
        Map.groupBy(trials, ({ groupKey }) => groupKey),
        ([group, own]) => ({ group, sha256: hashResults(own) }),
      ),
    }));
  });
}

/** Matches `toColumnText` of lib/store/database. */
function toKept(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** Fields that metrics use. Metrics treat missing and empty rewards alike. */
type CountedResult = Pick<Trial, "key" | "state"> & {
  readonly rewards: ReadonlyMap<string, bigint | number | boolean> | null;
};

/** Returns a SHA-256 of states and rewards, independent of order. Normalizes texts, since one reading may come from a database. */
export function hashResults(trials: readonly CountedResult[]): string {
  const lines = trials.map(({ key, state, rewards }) => {
    const values = Array.from(rewards ?? [], ([name, value]) => `${toKept(name)} ${String(Number(value))}`);
    return JSON.stringify([toKept(key), state, values.toSorted(compareText)]);
  });
  return hash("sha256", lines.toSorted(compareText).join("\n"), "hex");
}
