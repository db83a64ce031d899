import type { TrialRecord } from "@/lib/domain/trial";
import {
  type ConfiguredNames,
  parseSourceProbes,
  parseStoredStamps,
  type SourceProbes,
  type StoredStamps,
} from "@/lib/schema/stored-source";

import { restoreExceptionTimes } from "./job-times";
import { joinFolder } from "../discover/load-root";
import { MemoryBudget } from "../memory-budget";
import { StringPool } from "../string-pool";
import { TrialHolder } from "./trial-holder";
import type { JobReading, KnownTrials } from "./read-job";
import type { SourceFingerprint } from "../discover/source-fingerprint";
import type { TrialReading } from "./trial-record";

const STAMPS_A_PART = 1000;

/**
 * What is to be stored so that {@link StoredTrials} gives the trials of a reading back, without those that have no result
 * or an issue, and without the folders of `unkept`, to be read again.
 */
export function describeTrials({ discovered, trials }: JobReading, unkept: ReadonlySet<string>): string {
  const places = new Map<string, number>();
  const configured: ConfiguredNames[] = [];
  const place = (names: ConfiguredNames): number => {
    const name = `${names.taskPath ?? "\0"}\0${names.taskName ?? "\0"}\0${names.agent ?? "\0"}`;
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, configured.length);
    return configured.push(names) - 1;
  };
  const describe = (folder: string): StoredStamps["trials"][number] => {
    const reading = trials.get(folder);
    if (reading?.record.state !== "finished" || reading.issues.length > 0 || unkept.has(folder)) return null;
    return [reading.record.details.stamp, place(reading.configured)];
  };
  // In parts, since all stamps of a large job take much memory.
  const parts: string[] = [];
  const { trialFolders } = discovered;
  for (let from = 0; from < trialFolders.length; from += STAMPS_A_PART)
    parts.push(JSON.stringify(trialFolders.slice(from, from + STAMPS_A_PART).map(describe)).slice(1, -1));
  return `{"trials":[${parts.join(",")}],"configured":${JSON.stringify(configured)}}`; // As StoredStamps.
}

/**
 * Gives the trials of a stored reading back one after the other: `trials` has those that were added, by folder, as `previous` of
 * `readJob`; none for a text that is no description of one.
 */
export class StoredTrials implements KnownTrials {
  readonly trials = new Map<string, TrialReading>();
  private readonly source: SourceProbes | null;
  private readonly stamps: StoredStamps | null;
  private readonly indexes: ReadonlyMap<string, number>;
  private readonly holder = new TrialHolder(new StringPool());
  private readonly budget = new MemoryBudget();

  constructor({ probes }: Pick<SourceFingerprint, "probes">, description: string) {
    const source = parseSourceProbes(probes);
    this.source = source;
    this.stamps = parseStoredStamps(description);
    this.indexes = new Map(source?.trials.map((name, index) => [joinFolder(source.folder, name), index]));
  }

  /** Adds a trial as the index has it; one that is to be read again is left out. */
  add(record: TrialRecord): void {
    const { source, stamps, indexes, holder, budget } = this;
    const index = indexes.get(record.folder) ?? -1;
    const [stamp, place] = stamps?.trials[index] ?? [];
    const probes = source?.sets[source.uses[index] ?? -1];
    const configured = place === undefined ? undefined : stamps?.configured[place];
    if (stamp === undefined || probes === undefined || configured === undefined) return;
    const reading = { record: restoreExceptionTimes(record), configured, issues: [], probes, stamp };
    this.trials.set(record.folder, holder.holdReading(reading, budget));
  }
}
