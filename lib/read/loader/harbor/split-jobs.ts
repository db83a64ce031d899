import { listRecordedNames, type RecordedStats } from "@/lib/core/domain/job";

import { folderName, type LoadRoot, parentFolder, ROOT_AS_TRIAL } from "../discover/load-root";
import { computeShortHash } from "../short-hash";
import type { TrialReading } from "./trial-files";

/**
 * Splits the trials of a folder that two jobs wrote into by the job id in each trial's config. Trials listed in result.json
 * stay with it, as in resumed and merged jobs. Splits nothing if no trial has the job's id.
 * @returns as `own` the trials of the job whose result.json is in the folder, and those that name no job
 */
export function splitByJob(
  jobUuid: string | null,
  recorded: RecordedStats | null,
  readings: readonly TrialReading[],
) {
  const isForeign = ({ record }: TrialReading) => record.jobUuid !== null && record.jobUuid !== jobUuid;
  if (jobUuid === null || !readings.some(isForeign) || readings.every(isForeign))
    return { own: readings, others: [] };
  const listed = listRecordedNames(recorded?.groups);
  const isOther = (reading: TrialReading) => isForeign(reading) && !listed.has(reading.record.trialName);
  const groups = Map.groupBy(readings.filter(isOther), ({ record }) => record.jobUuid ?? "");
  return {
    own: readings.filter((reading) => !isOther(reading)),
    others: [...groups].map(([id, group]) => ({ jobUuid: id, readings: group })),
  };
}

export function splitLooseTrials(root: LoadRoot, readings: readonly TrialReading[]) {
  const parts = Map.groupBy(readings, ({ record }) =>
    record.jobUuid === null
      ? JSON.stringify([parentFolder(record.folder), record.settings, record.provider, record.agentVersion])
      : record.jobUuid,
  );
  const holders = new Map([...parts].map(([part, group]) => [part, findHolder(group)]));
  const counts = new Map<string, number>();
  for (const holder of holders.values()) counts.set(holder, (counts.get(holder) ?? 0) + 1);
  return [...parts].map(([part, group]) => {
    const holder = holders.get(part) ?? "";
    const id = group[0]?.record.jobUuid ?? null;
    const isAlone = group.length === 1 && (counts.get(holder) ?? 0) > 1;
    const folder = isAlone ? (group[0]?.record.folder ?? holder) : holder;
    const name = folderName(root, folder);
    const isShared = !isAlone && (counts.get(holder) ?? 0) > 1;
    const mark = id === null ? computeShortHash(part) : id.slice(0, 8);
    return { name: isShared ? `${name} ${mark}` : name, folder, id, readings: group };
  });
}

function findHolder(readings: readonly TrialReading[]): string {
  const [first = "", ...others] = readings.map(({ record }) =>
    record.folder === ROOT_AS_TRIAL ? "" : parentFolder(record.folder),
  );
  let holder = first;
  while (holder !== "" && !others.every((folder) => `${folder}/`.startsWith(`${holder}/`)))
    holder = parentFolder(holder);
  return holder;
}
