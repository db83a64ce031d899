import "server-only";

import { cache } from "react";

import { NotFoundError } from "@/lib/domain/app-error";
import type { TrialRecord } from "@/lib/domain/trial";
import { resolveFolder } from "@/lib/loader/detail";
import {
  type IndexStore,
  type JobHead,
  readHead,
  readRootLabel,
  readTrial,
  type TrialRow,
} from "@/lib/store";
import type { TrialPlace } from "@/lib/trial-reading";

import { getStoreOfJob } from "../shell/catalog";

export interface LocatedTrial {
  readonly job: JobHead;
  readonly trial: TrialRecord;
  readonly row: TrialRow;
  readonly place: TrialPlace;
}

/** The trial that two keys of an address stand for; null when no open folder holds it. */
export const locateTrial = cache(
  async (store: IndexStore, jobKey: string, trialKey: string): Promise<LocatedTrial | null> => {
    const job = await readHead(store, jobKey);
    const row = job === null ? null : await readTrial(store, job.rowId, trialKey);
    if (job === null || row === null) return null;
    const { trial } = row;
    const { root } = job;
    return {
      job,
      trial,
      row,
      place: {
        path: locateFolder(job, trial),
        root: { index: root, label: await readRootLabel(store, root), path: findRootPath(job) },
        stepNames: trial.steps?.map((step) => step.stepName) ?? null,
        ledger: trial.ledger === null ? null : trial,
      },
    };
  },
);

/** The same for downloads and judgments. @throws NotFoundError when no open folder holds it */
export async function requireTrial(jobKey: string, trialKey: string): Promise<LocatedTrial> {
  const located = await locateTrial(await getStoreOfJob(jobKey), jobKey, trialKey);
  if (located !== null) return located;
  throw new NotFoundError("This trial is no longer in the open folders.");
}

/**
 * Real absolute path of a trial's folder, or of a ledger's record; null when the trial is only known from a plan or from the
 * job's statistics, or when its folder has become a link out of the root.
 */
export function locateFolder(job: JobHead, { folder }: Pick<TrialRecord, "folder">): string | null {
  return folder === "" ? null : resolveFolder(findRootPath(job), folder);
}

/** Absolute path of the opened folder that a job lies in; folders of jobs and trials are relative to it. */
function findRootPath({ folder, path }: JobHead): string {
  return folder === "" ? path : path.slice(0, -folder.length - 1);
}
