import type { TrialRecord } from "@/lib/domain/trial";
import {
  type ConfiguredNames,
  parseSourceProbes,
  parseStoredStamps,
  type StoredStamps,
} from "@/lib/schema/stored-source";

import { restoreExceptionTimes } from "./job-times";
import { joinFolder } from "../discover/load-root";
import { MemoryBudget } from "../memory-budget";
import { StringPool } from "../string-pool";
import { TrialHolder } from "./held-trial";
import type { JobReading } from "./read-job";
import type { SourceFingerprint } from "../discover/source-fingerprint";
import type { TrialReading } from "./trial-record";

/**
 * What is to be stored so that {@link restoreTrials} gives the trials of a reading back, without those that have no result
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
  const stamps = discovered.trialFolders.map((folder): StoredStamps["trials"][number] => {
    const reading = trials.get(folder);
    if (reading?.record.state !== "finished" || reading.issues.length > 0 || unkept.has(folder)) return null;
    return [reading.stamp, place(reading.configured)];
  });
  return JSON.stringify({ trials: stamps, configured } satisfies StoredStamps);
}

/** The trials of a stored reading by folder, as `previous` of `readJob`; none for a text that is no description of one. */
export function restoreTrials(
  { probes }: Pick<SourceFingerprint, "probes">,
  description: string,
  records: Iterable<TrialRecord>,
): ReadonlyMap<string, TrialReading> {
  const restored = new Map<string, TrialReading>();
  const source = parseSourceProbes(probes);
  const stamps = parseStoredStamps(description);
  if (source === null || stamps === null) return restored;
  const indexes = new Map(source.trials.map((name, index) => [joinFolder(source.folder, name), index]));
  const holder = new TrialHolder(new StringPool());
  const budget = new MemoryBudget();
  for (const record of records) {
    const index = indexes.get(record.folder) ?? -1;
    const [stamp, place] = stamps.trials[index] ?? [];
    const set = source.sets[source.uses[index] ?? -1];
    const configured = place === undefined ? undefined : stamps.configured[place];
    if (stamp === undefined || set === undefined || configured === undefined) continue;
    const reading = { record: restoreExceptionTimes(record), configured, issues: [], probes: set, stamp };
    restored.set(record.folder, holder.holdReading(reading, budget));
  }
  return restored;
}
