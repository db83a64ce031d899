import "server-only";

import {
  collectSettings,
  COMPARED_FIELDS,
  type GroupContent,
  pickCompared,
  renumber,
} from "@/lib/comparison";
import { MAX_GROUPS } from "@/lib/domain/compare-filter";
import { countGroupFigures, type IndexStore, type JobHead, pickAllTrials, readSuspicions } from "@/lib/store";

import { readExclusions } from "../sensitivity/exclusions";
import { createCache } from "../shell/cache";

/** Those of the largest comparison, and a few more. */
const MOST_KEPT = MAX_GROUPS + 6;

const kept = new WeakMap<IndexStore, ReturnType<typeof createCache<GroupContent>>>();

/** The trials of a group, or of the part `key` of the group `figureKey`. The last few groups are kept, so that changing a setting reads nothing again. */
export async function readGroupContent(
  store: IndexStore,
  job: Pick<JobHead, "key" | "rowId" | "version">,
  key: string,
  figureKey: string,
): Promise<GroupContent> {
  const keep = kept.get(store) ?? createCache<GroupContent>(MOST_KEPT);
  kept.set(store, keep);
  return keep(`${job.rowId} ${job.version} ${key}`, () => readContent(store, job, key, figureKey));
}

async function readContent(
  store: IndexStore,
  { key: jobKey, rowId: jobRowId }: Pick<JobHead, "key" | "rowId">,
  key: string,
  figureKey: string,
): Promise<GroupContent> {
  const [trials, figures, suspicions, exclusions] = await Promise.all([
    pickAllTrials(store, { jobRowId, groupKey: key }, [...COMPARED_FIELDS, "settings"], (trial) => ({
      compared: pickCompared(trial),
      settings: trial.settings,
    })),
    countGroupFigures(store, { jobRowId, key: figureKey }),
    readSuspicions(store, jobRowId),
    readExclusions(store, { jobRowId, groupKey: figureKey }),
  ]);
  const picked = trials.map(({ compared }) => ({
    ...compared,
    isSuspect: suspicions.has(compared.key),
    exclusion: exclusions.get(compared.key) ?? null,
    jobKey,
  }));
  const ordered = picked.toSorted((a, b) => a.attempt - b.attempt);
  const settings = collectSettings(trials);
  return { trials: key === figureKey ? ordered : renumber(ordered), figures, settings };
}
