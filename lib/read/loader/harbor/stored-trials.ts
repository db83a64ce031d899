import { deflateRawSync, inflateRawSync } from "node:zlib";

import type { Trial } from "@/lib/core/domain/trial";
import {
  type ConfiguredNames,
  parseSourceProbes,
  parseStoredStamps,
  type SourceProbes,
  type StoredStamps,
} from "@/lib/read/schema/stored-source";

import { joinFolder } from "../discover/load-root";
import type { SourceFingerprint } from "../discover/source-fingerprint";
import { MemoryBudget } from "../memory-budget";
import { StringPool } from "../string-pool";
import { TrialCompactor, type TrialReading } from "./compact-trial";
import { restoreExceptionTimes } from "./job-times";
import type { JobReading, KnownTrials } from "./read-job";

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
