import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";

import type { Trial } from "@/lib/core/domain/trial";
import {
  type ConfiguredNames,
  parseSourceProbes,
  parseStoredStamps,
  type SourceProbes,
  type StoredStamps,
} from "@/lib/read/schema/stored-source";

import type { DiscoveredJob } from "../discover/discover";
import type { DiscoveryMemo } from "../discover/discovery-memo";
import { stampSharedFiles } from "../discover/job-files";
import { joinFolder, type LoadRoot } from "../discover/load-root";
import { stampTrial } from "../folder-reader";
import { MemoryBudget } from "../memory-budget";
import { StringPool } from "../string-pool";
import { TrialCompactor, type TrialReading } from "./compact-trial";
import { restoreExceptionTimes } from "./job-times";
import type { JobReading, KnownTrials } from "./read-job";

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

/** Describing a large job at once would take as much memory as its records. */
const TRIALS_A_PART = 1000;

/** Serializes trials as deflated JSON per part, without `unkept`, unfinished or faulty trials. */
export function describeTrials({ discovered, trials }: JobReading, unkept: ReadonlySet<string>): string {
  const { trialFolders } = discovered;
  const parts: string[] = [];
  for (let from = 0; from < trialFolders.length; from += TRIALS_A_PART) {
    const readings = trialFolders.slice(from, from + TRIALS_A_PART).map((folder) => {
      const reading = trials.get(folder);
      const isKept =
        reading?.record.state === "finished" && reading.issues.length === 0 && !unkept.has(folder);
      return isKept ? reading : null;
    });
    parts.push(deflateRawSync(JSON.stringify(describePart(readings))).toString("base64"));
  }
  return parts.join("\n");
}

function describePart(readings: readonly (TrialReading | null)[]): StoredStamps {
  const places = new Map<string, number>();
  const configured: ConfiguredNames[] = [];
  const place = (names: ConfiguredNames): number => {
    const name = `${names.taskPath ?? "\0"}\0${names.taskName ?? "\0"}\0${names.agent ?? "\0"}`;
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, configured.length);
    return configured.push(names) - 1;
  };
  const trials = readings.map((reading): [string, number] | null => {
    const { stamp, configured: names = null } = reading?.record.details ?? {};
    return stamp === undefined || names === null ? null : [stamp, place(names)];
  });
  return { trials, configured };
}

function parsePart(text: string): StoredStamps | null {
  try {
    return parseStoredStamps(inflateRawSync(Buffer.from(text, "base64")).toString());
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

/** Restores stored trials by folder, as `previous` of `readJob`. Empty if the text is invalid. */
export class StoredTrials implements KnownTrials {
  readonly trials = new Map<string, TrialReading>();
  private readonly source: SourceProbes | null;
  private readonly parts: readonly string[];
  private latest: { readonly at: number; readonly stamps: StoredStamps | null } = { at: -1, stamps: null };
  private readonly indexes: ReadonlyMap<string, number>;
  private readonly compactor = new TrialCompactor(new StringPool());
  private readonly budget = new MemoryBudget();

  constructor({ probes }: Pick<SourceFingerprint, "probes">, description: string) {
    const source = parseSourceProbes(probes);
    this.source = source;
    this.parts = description.split("\n");
    this.indexes = new Map(source?.trials.map((name, index) => [joinFolder(source.folder, name), index]));
  }

  add(record: Trial): void {
    const { source, indexes, compactor, budget } = this;
    const index = indexes.get(record.folder) ?? -1;
    const stamps = this.readPart(Math.floor(index / TRIALS_A_PART));
    const [stamp, place] = stamps?.trials[index % TRIALS_A_PART] ?? [];
    const probes = source?.sets[source.uses[index] ?? -1];
    const configured = place === undefined ? undefined : stamps?.configured[place];
    if (stamp === undefined || probes === undefined || configured === undefined) return;
    const reading = { record: restoreExceptionTimes(record), configured, issues: [], probes, stamp };
    this.trials.set(record.folder, compactor.compactReading(reading, budget));
  }

  private readPart(at: number): StoredStamps | null {
    if (this.latest.at !== at) this.latest = { at, stamps: parsePart(this.parts[at] ?? "") };
    return this.latest.stamps;
  }
}
