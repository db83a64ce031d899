import "server-only";
import { StoreError } from "@/lib/core/domain/app-error";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import {
  getAnnotationStore,
  importAnnotations,
  type ImportReport,
  mayUndoImport,
  readImportedTags,
  readStagedImport,
  type StagedKey,
  type TagImport,
} from "@/lib/people/annotations";
import { findTrialPlace } from "@/lib/people/labels/scope-trials";
import { readPlacesOfTrials } from "@/lib/store/tables";

import { getStore } from "../shell/catalog";
import { getActor } from "./actor";
import { getReviewer } from "./reviewer";
import { readPlacesByName } from "./scope";

export interface ImportSummary extends Omit<ImportReport, "trials"> {
  readonly nTrials: number;
  /** Trials in no open folder. Their judgments are kept and appear once the folder is open. */
  readonly nUnknownTrials: number;
}

/** @throws ValidationError, StoreError as `importAnnotations` */
export async function runStagedImport(key: StagedKey, isDryRun: boolean): Promise<ImportSummary> {
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

export interface ShownTagImport extends Pick<TagImport, "importId" | "author" | "nTags" | "sources"> {
  readonly at: ClockTime;
  readonly mayUndo: boolean;
}

/** Returns imports that were not undone, newest first. Empty if unreadable; the page frame reports that. */
export async function getTagImports(): Promise<readonly ShownTagImport[]> {
  const actor = await getActor();
  try {
    const { imports } = await readImportedTags(getAnnotationStore());
    return imports.map(({ importId, author, nTags, sources, createdAt, browserKeyHash }) => ({
      importId,
      author,
      nTags,
      sources,
      at: { text: createdAt, epochMs: Date.parse(createdAt), zoned: true },
      mayUndo: mayUndoImport({ browserKeyHash }, actor),
    }));
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}
