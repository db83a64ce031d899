import "server-only";
import { unlessUnreadable } from "@/lib/core/domain/app-error";
import { readInstant } from "@/lib/core/domain/clock-time";
import {
  getAnnotationStore,
  importAnnotations,
  mayChange,
  readTagImports,
  readStagedImport,
  type StagedKey,
} from "@/lib/people/annotations";
import { findTrialPlace } from "@/lib/people/labels/draws";
import { readPlacesOfTrials } from "@/lib/store/tables";

import { getStore } from "../shell/catalog";
import { readPlacesByName } from "./judged";
import { getActor, getReviewer } from "./reviewer";

export type ImportSummary = Awaited<ReturnType<typeof runStagedImport>>;

/** `nUnknownTrials` are in no open folder. Their judgments are kept and appear once the folder is open. */
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
  const [actor, imports] = await Promise.all([
    getActor(),
    unlessUnreadable(() => readTagImports(getAnnotationStore()), []),
  ]);
  return imports.map(({ actor: maker, createdAt, ...made }) => {
    return { ...made, at: readInstant(createdAt), mayUndo: mayChange(maker, actor) };
  });
}
