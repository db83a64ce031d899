import type { RecordedStats } from "@/lib/domain/job";

import type { TrialReading } from "./harbor/trial-reading";

/** The trials of one folder, parted by the job that ran them. */
export interface SplitTrials {
  /** Those of the job whose result.json is in the folder, and those that name no job. */
  readonly own: readonly TrialReading[];
  readonly others: readonly { readonly jobId: string; readonly readings: readonly TrialReading[] }[];
}

/**
 * Parts the trials of a folder that two jobs wrote into, by the job id in each trial's config.
 *
 * A trial that result.json lists by name stays with it whatever its id: resumed and merged jobs hold such trials. Nothing
 * is parted when the job's id is unknown or no trial has it.
 */
export function splitByJob(
  jobId: string | null,
  recorded: RecordedStats | null,
  readings: readonly TrialReading[],
): SplitTrials {
  const isForeign = ({ record }: TrialReading) => record.jobId !== null && record.jobId !== jobId;
  if (jobId === null || !readings.some(isForeign) || readings.every(isForeign))
    return { own: readings, others: [] };
  const listed = listRecordedNames(recorded);
  const isOther = (reading: TrialReading) => isForeign(reading) && !listed.has(reading.record.trialName);
  const groups = Map.groupBy(readings.filter(isOther), ({ record }) => record.jobId ?? "");
  return {
    own: readings.filter((reading) => !isOther(reading)),
    others: [...groups].map(([id, group]) => ({ jobId: id, readings: group })),
  };
}

/** Every trial name in the recorded reward and exception lists. */
export function listRecordedNames(recorded: RecordedStats | null): Set<string> {
  const names = new Set<string>();
  for (const { rewardStats, exceptionStats } of recorded?.groups ?? []) {
    const lists = [...(rewardStats?.values() ?? [])].flatMap((byValue) => [...byValue.values()]);
    for (const list of [...lists, ...(exceptionStats?.values() ?? [])]) {
      for (const name of list) names.add(name);
    }
  }
  return names;
}
