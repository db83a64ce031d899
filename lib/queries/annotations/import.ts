import "server-only";

import {
  getAnnotationStore,
  importAnnotations,
  type ImportReport,
  readStagedImport,
} from "@/lib/annotations";

import { getStore } from "../shell/catalog";
import { getActor } from "./actor";
import { findTrialPlace, readPlacesByName } from "./scope";

/** What an import did, or would do, and how many of its trials are in no open folder. */
export interface ImportSummary extends Omit<ImportReport, "trials"> {
  readonly nTrials: number;
  /** Their judgments are kept, and appear with their trials once those are there. */
  readonly nUnknownTrials: number;
}

/** Checks or imports files that were sent in parts. @throws ValidationError, StoreError as `importAnnotations` */
export async function runStagedImport(id: string, isDryRun: boolean): Promise<ImportSummary> {
  const actor = await getActor();
  const { trials, ...report } = await importAnnotations(getAnnotationStore(), readStagedImport(id), {
    isDryRun,
    actor,
  });
  const byName = await readPlacesByName(await getStore(), trials);
  const nUnknownTrials = trials.filter((trial) => findTrialPlace(byName, trial) === null).length;
  return { ...report, nTrials: trials.length, nUnknownTrials };
}
