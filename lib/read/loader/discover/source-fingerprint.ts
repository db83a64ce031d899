import { createHash } from "node:crypto";

import { parseSourceProbes, type SourceProbes } from "@/lib/read/schema/stored-source";

import { stampTrial } from "../folder-reader";
import type { JobReading } from "../harbor/read-job";
import { StringPool } from "../string-pool";
import type { DiscoveredJob } from "./discover";
import type { DiscoveryMemo } from "./discovery-memo";
import { stampSharedFiles } from "./job-files";
import { joinFolder, type LoadRoot } from "./load-root";

export interface SourceFingerprint {
  /** SHA-256 in hex of `probes`, of the stamps of the job's files and of its trials in order. */
  readonly hash: string;
  readonly probes: string;
  readonly folderStamp: string | null;
  /** When an unchanged, unfinished job must be read again, in milliseconds since 1970-01-01; null if never. */
  readonly holdsUntilMs: number | null;
}

/** Uses stamps taken before reading. Accesses no files. */
export function describeSource(reading: JobReading): SourceFingerprint {
  const { discovered, drafts, filesStamp, trials, holdsUntilMs } = reading;
  const { folder, kind, trialFolders, folderStamp } = discovered;
  const start = folder === "" ? 0 : folder.length + 1;
  const pool = new StringPool();
  const sets = new Map<readonly string[], number>();
  const uses: number[] = [];
  for (const trialFolder of trialFolders) {
    const set = pool.shareList(trials.get(trialFolder)?.probes ?? []);
    const use = sets.get(set) ?? sets.size;
    sets.set(set, use);
    uses.push(use);
  }
  const names = trialFolders.map((trialFolder) => trialFolder.slice(start));
  const resultStamp = drafts[0]?.job.recorded ? (filesStamp.split("|")[0] ?? null) : null;
  const source = { folder, kind, resultStamp, trials: names, sets: [...sets.keys()], uses };
  const probes = JSON.stringify(source);
  return {
    hash: hashStamps(
      (function* () {
        yield* [probes, filesStamp];
        for (const trialFolder of trialFolders) yield trials.get(trialFolder)?.record.details.stamp ?? "";
      })(),
    ),
    probes,
    folderStamp,
    holdsUntilMs: Number.isFinite(holdsUntilMs) ? holdsUntilMs : null,
  };
}

/** True if rereading would give the same result. Costs about three lstats per trial. {@link isSameSource} finds new trials. */
export function isSourceUnchanged(
  root: LoadRoot,
  stored: Pick<SourceFingerprint, "hash" | "probes" | "holdsUntilMs">,
  nowMs: number,
): boolean {
  const source = parseSourceProbes(stored.probes);
  if (source === null || (stored.holdsUntilMs !== null && nowMs > stored.holdsUntilMs)) return false;
  const { folder, kind, trials, sets, uses } = source;
  const stamps = [stored.probes, stampSharedFiles(root, kind, folder)];
  for (const [index, name] of trials.entries()) {
    const probes = sets[uses[index] ?? -1];
    if (probes === undefined) return false;
    stamps.push(stampTrial(root, joinFolder(folder, name), probes));
  }
  return hashStamps(stamps) === stored.hash;
}

export function isSameSource(
  discovered: DiscoveredJob,
  stored: Pick<SourceFingerprint, "probes" | "folderStamp">,
): boolean {
  const source = parseSourceProbes(stored.probes);
  if (source === null || source.folder !== discovered.folder || source.kind !== discovered.kind) return false;
  if (stored.folderStamp !== null && stored.folderStamp === discovered.folderStamp) return true;
  const folders = listTrialFolders(source);
  return (
    folders.length === discovered.trialFolders.length &&
    folders.every((folder, index) => folder === discovered.trialFolders[index])
  );
}

export function seedMemo(
  memo: DiscoveryMemo,
  stored: Pick<SourceFingerprint, "probes" | "folderStamp">,
): void {
  const source = parseSourceProbes(stored.probes);
  if (source?.kind !== "harbor") return;
  const { folder, resultStamp } = source;
  if (resultStamp !== null) memo.rememberKind(joinFolder(folder, "result.json"), resultStamp, "job-result");
  if (stored.folderStamp !== null)
    memo.rememberTrialFolders(folder, stored.folderStamp, listTrialFolders(source));
}

/** Files that decide how most trials read: enough to detect that an unreadable folder changed. */
const USUAL_PROBES = [
  "",
  "result.json",
  "config.json",
  "verifier/reward.txt",
  "verifier/reward.json",
] as const;

/** Stamps a job that was never read. Costs five lstats per trial. */
export function stampSource(root: LoadRoot, { folder, kind, trialFolders }: DiscoveredJob): string {
  const stamps = trialFolders.map((trialFolder) => stampTrial(root, trialFolder, USUAL_PROBES));
  return hashStamps([stampSharedFiles(root, kind, folder), ...trialFolders, ...stamps]);
}

function listTrialFolders({ folder, trials }: SourceProbes): string[] {
  return trials.map((name) => joinFolder(folder, name));
}

/** Hashes incrementally, since the stamps of a large job outweigh the rest of it. */
function hashStamps(stamps: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const stamp of stamps) hash.update(stamp).update("\n");
  return hash.digest("hex");
}
