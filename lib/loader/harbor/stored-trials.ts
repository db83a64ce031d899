import type { TrialRecord } from "@/lib/domain/trial";
import {
  type ConfiguredNames,
  parseSourceProbes,
  parseStoredStamps,
  type StoredStamps,
} from "@/lib/schema/stored-source";

import { restoreExceptionTimes } from "./job-times";
import { joinFolder } from "../discover/load-root";
import type { JobReading } from "./read-job";
import type { SourceFingerprint } from "../discover/source-fingerprint";
import type { TrialReading } from "./trial-record";

/**
 * What is to be stored beside the fingerprint and the records of a reading, so that {@link restoreTrials} gives its trials
 * back. Those that are unusual in any way are left out, to be read again: without a result, or with a finding.
 *
 * @param unkept - folders of trials whose records are not stored whole; left out too
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

/**
 * The trials of a reading, by folder, from what was stored of it; as `previous` of `readJob` they are read again where
 * their files changed.
 *
 * @param records - of all trials of the reading, in any order
 * @returns nothing for a text that is no such description
 */
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
  for (const { key: _, attempt: __, outcome: ___, groupKey: ____, ...record } of records) {
    const index = indexes.get(record.folder) ?? -1;
    const [stamp, place] = stamps.trials[index] ?? [];
    const set = source.sets[source.uses[index] ?? -1];
    const configured = place === undefined ? undefined : stamps.configured[place];
    if (stamp === undefined || set === undefined || configured === undefined) continue;
    restored.set(record.folder, {
      record: restoreExceptionTimes(record),
      configured,
      issues: [],
      probes: set,
      stamp,
    });
  }
  return restored;
}
