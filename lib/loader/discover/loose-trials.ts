import type { DiscoveredJob } from "./discover";
import { folderName, type LoadRoot, parentFolder, ROOT_AS_TRIAL } from "./load-root";
import { computeShortHash } from "../short-hash";
import type { TrialReading } from "../harbor/trial-reading";

/**
 * Gathers trial folders that have no job above them under the folder that holds them, to be read together; which of them are
 * one job is for {@link splitLooseTrials} to say, once they are read.
 *
 * Where every trial has a holder to itself, such as `cells/<cell>/raw`, the trials are gathered one folder higher, because
 * trials of one job may lie in several of them.
 */
export function gatherLooseTrials(trials: readonly string[]): DiscoveredJob[] {
  const byParent = Map.groupBy(trials, (trial) => (trial === ROOT_AS_TRIAL ? "" : parentFolder(trial)));
  const single = [...byParent].filter(([parent, group]) => group.length === 1 && parent !== "");
  const byGrandparent = Map.groupBy(single, ([parent]) => parentFolder(parent));
  const jobs = new Map<string, string[]>();
  for (const [parent, group] of byParent) {
    const siblings = byGrandparent.get(parentFolder(parent)) ?? [];
    const isShared = group.length === 1 && parent !== "" && siblings.length > 1;
    const holder = isShared ? parentFolder(parent) : parent;
    const gathered = jobs.get(holder);
    if (gathered === undefined) jobs.set(holder, group);
    else jobs.set(holder, gathered.concat(group));
  }
  return [...jobs].map(([folder, trialFolders]) => ({
    folder,
    kind: "loose",
    trialFolders: trialFolders.sort(),
    folderStamp: null,
  }));
}

/** Trials without a job above them that one job ran, as far as they tell. */
export interface LooseJob {
  readonly name: string;
  /** The folder that holds them all; of a trial that shares its folder with those of other jobs the trial's own. */
  readonly folder: string;
  /** `config.job_id`; null when they name none. */
  readonly id: string | null;
  readonly readings: readonly TrialReading[];
}

/**
 * Parts trials without a job above them by the job that ran them.
 *
 * Trials with one `config.job_id` are one job, wherever they lie. Those that name no job are one where they lie in one folder
 * and nothing of how their agents were set up differs, so that no two are taken for attempts of one another that are not.
 */
export function splitLooseTrials(root: LoadRoot, readings: readonly TrialReading[]): readonly LooseJob[] {
  const parts = Map.groupBy(readings, ({ record }) =>
    record.jobId === null
      ? JSON.stringify([parentFolder(record.folder), record.settings, record.provider, record.agentVersion])
      : record.jobId,
  );
  const holders = new Map([...parts].map(([part, group]) => [part, findHolder(group)]));
  const counts = new Map<string, number>();
  for (const holder of holders.values()) counts.set(holder, (counts.get(holder) ?? 0) + 1);
  return [...parts].map(([part, group]) => {
    const holder = holders.get(part) ?? "";
    const id = group[0]?.record.jobId ?? null;
    const isAlone = group.length === 1 && (counts.get(holder) ?? 0) > 1;
    const folder = isAlone ? (group[0]?.record.folder ?? holder) : holder;
    const name = folderName(root, folder);
    const isShared = !isAlone && (counts.get(holder) ?? 0) > 1;
    const mark = id === null ? computeShortHash(part) : id.slice(0, 8);
    return { name: isShared ? `${name} ${mark}` : name, folder, id, readings: group };
  });
}

/** The deepest folder above all of the trials. */
function findHolder(readings: readonly TrialReading[]): string {
  const [first = "", ...others] = readings.map(({ record }) =>
    record.folder === ROOT_AS_TRIAL ? "" : parentFolder(record.folder),
  );
  let holder = first;
  while (holder !== "" && !others.every((folder) => `${folder}/`.startsWith(`${holder}/`)))
    holder = parentFolder(holder);
  return holder;
}
