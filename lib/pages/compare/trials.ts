import "server-only";
import { type ComparedTrial, type GroupContent, renumber } from "@/lib/core/comparison";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { oncePer } from "@/lib/core/domain/once-per";
import { readExclusions } from "@/lib/pages/sensitivity/job";
import {
  countGroupFigures,
  type IndexStore,
  type JobHead,
  readCountedTrials,
  readGroupSettings,
  readSuspicions,
} from "@/lib/store/tables";

import { createCache } from "../shell/cache";

const MOST_KEPT = MAX_GROUPS + 6;

const cacheOf = oncePer<IndexStore, ReturnType<typeof createCache<GroupContent>>>(() =>
  createCache(MOST_KEPT),
);

/** Reads the group `figureKey`, or its part `key`. Recent groups are cached, so that changing a setting reads nothing again. */
export async function readGroupContent(
  store: IndexStore,
  job: Pick<JobHead, "key" | "rowId" | "version">,
  key: string,
  figureKey: string,
): Promise<GroupContent> {
  return cacheOf(store)(`${job.rowId} ${job.version} ${key}`, () => readContent(store, job, key, figureKey));
}

async function readContent(
  store: IndexStore,
  { key: jobKey, rowId: jobRowId }: Pick<JobHead, "key" | "rowId">,
  key: string,
  figureKey: string,
): Promise<GroupContent> {
  const [counted, setup, figures, suspicions, exclusions] = await Promise.all([
    readCountedTrials(store, { jobRowId, key }),
    readGroupSettings(store, { jobRowId, key }),
    countGroupFigures(store, { jobRowId, key: figureKey }),
    readSuspicions(store, jobRowId),
    readExclusions(store, { jobRowId, groupKey: figureKey }),
  ]);
  const trials = counted.map(({ uuid, sourceUuid, costUsd, ...trial }): ComparedTrial => ({
    ...trial,
    tokens: { costUsd },
    rollout: sourceUuid === undefined ? uuid : sourceUuid,
    isSuspect: suspicions.has(trial.key),
    exclusion: exclusions.get(trial.key) ?? null,
    jobKey,
  }));
  const ordered = trials.toSorted((a, b) => a.attempt - b.attempt);
  return { trials: key === figureKey ? ordered : renumber(ordered), figures, ...setup };
}
