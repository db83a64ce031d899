import { createHash } from "node:crypto";

import { parseSourceProbes } from "@/lib/read/schema/stored-source";

import type { DiscoveredJob } from "../discover/discover";
import { stampSharedFiles } from "../discover/job-files";
import { joinFolder, type LoadRoot } from "../discover/load-root";
import { stampTrial } from "../folder-reader";
import type { JobReading } from "./read-job";

export interface SourceFingerprint {
  /** SHA-256 in hex of `probes`, of the stamps of the job's files and of its trials in order. */
  readonly hash: string;
  readonly probes: string;
  /** When an unchanged, unfinished job must be read again, in milliseconds since 1970-01-01; null if never. */
  readonly holdsUntilMs: number | null;
}

/** Uses stamps taken before reading. Accesses no files. */
export function describeSource({
  discovered,
  filesStamp,
  readings,
  holdsUntilMs,
}: JobReading): SourceFingerprint {
  const { folder, kind, trialFolders } = discovered;
  const start = folder === "" ? 0 : folder.length + 1;
  const sets = new Map(readings.map((reading) => [reading.probes.join("\0"), reading.probes]));
  const places = new Map(Array.from(sets.keys(), (key, place) => [key, place]));
  const probes = JSON.stringify({
    folder,
    kind,
    trials: trialFolders.map((trialFolder) => trialFolder.slice(start)),
    sets: [...sets.values()],
    uses: readings.map((reading) => places.get(reading.probes.join("\0"))),
  });
  return {
    hash: hashStamps([probes, filesStamp, ...readings.map(({ stamp }) => stamp)]),
    probes,
    holdsUntilMs: Number.isFinite(holdsUntilMs) ? holdsUntilMs : null,
  };
}

/** True if rereading would give the same result. Costs about three lstats per trial. {@link isSameSource} finds new trials. */
export function isSourceUnchanged(root: LoadRoot, stored: SourceFingerprint, nowMs: number): boolean {
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

export function isSameSource({ folder, kind, trialFolders }: DiscoveredJob, probes: string): boolean {
  const source = parseSourceProbes(probes);
  return (
    source?.folder === folder &&
    source.kind === kind &&
    source.trials.length === trialFolders.length &&
    source.trials.every((name, index) => joinFolder(folder, name) === trialFolders[index])
  );
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

/** Hashes incrementally, since the stamps of a large job outweigh the rest of it. */
function hashStamps(stamps: readonly string[]): string {
  const hash = createHash("sha256");
  for (const stamp of stamps) hash.update(stamp).update("\n");
  return hash.digest("hex");
}
