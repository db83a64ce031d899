import "server-only";
import { unlessUnreadable } from "@/lib/core/domain/app-error";
import { readInstant } from "@/lib/core/domain/clock-time";
import {
  getAnnotationStore,
  importAnnotations,
  mayChange,
  readImportedTags,
  readStagedImport,
  type StagedKey,
} from "@/lib/people/annotations";
import { findTrialPlace } from "@/lib/people/labels/scope-trials";
import { readPlacesOfTrials } from "@/lib/store/tables";

import { getStore } from "../shell/catalog";
import { getActor, getReviewer } from "./reviewer";
import { readPlacesByName } from "./scope";

export type ImportSummary = Awaited<ReturnType<typeof runStagedImport>>;

/**
 * `nUnknownTrials` are in no open folder. Their judgments are kept and appear once the folder is open.
 * @throws ValidationError, StoreError as `importAnnotations`
 */
export async function runStagedImport(key: StagedKey, isDryRun: boolean) {
  const [actor, { reviewerId: author }, store] = await Promise.all([getActor(), getReviewer(), getStore()]);
  const { trials, ...report } = await importAnnotations(getAnnotationStore(), readStagedImport(key), {
    isDryRun,
    actor,
    author,
    findTrials: async (names) =>
      (await readPlacesOfTrials(store, names)).map(({ id: trialId, ...place }) => ({ ...place, trialId })),
  });
  const byName = await readPlacesByName(store, trials);
  const nUnknownTrials = trials.filter((trial) => findTrialPlace(byName, trial) === null).length;
  return { ...report, nTrials: trials.length, nUnknownTrials };
}

export type ShownTagImport = Awaited<ReturnType<typeof getTagImports>>[number];

/** Returns imports that were not undone, newest first. Empty if unreadable; the page frame reports that. */
export async function getTagImports() {
  const [actor, read] = await Promise.all([
    getActor(),
    unlessUnreadable(() => readImportedTags(getAnnotationStore()), null),
  ]);
  return (read?.imports ?? []).map(({ importId, author, nTags, sources, createdAt, browserKeyHash }) => ({
    importId,
    author,
    nTags,
    sources,
    at: readInstant(createdAt),
    mayUndo: mayChange({ browserKeyHash }, actor),
  }));
}
