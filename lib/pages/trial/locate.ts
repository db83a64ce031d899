import "server-only";
import { cache } from "react";

import { NotFoundError } from "@/lib/core/domain/app-error";
import type { Trial } from "@/lib/core/domain/trial";
import { resolveFolder } from "@/lib/read/loader/detail";
import type { TrialPlace } from "@/lib/read/trial-reading";
import {
  type IndexStore,
  type JobHead,
  readHead,
  readRootLabel,
  readTrial,
  type TrialRow,
} from "@/lib/store/tables";

import { getStoreOfJob } from "../shell/catalog";

export interface LocatedTrial {
  readonly job: JobHead;
  readonly trial: Trial;
  readonly row: TrialRow;
  readonly place: TrialPlace;
}

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

/** @throws NotFoundError when no open folder holds it */
export async function requireTrial(jobKey: string, trialKey: string): Promise<LocatedTrial> {
  const located = await locateTrial(await getStoreOfJob(jobKey), jobKey, trialKey);
  if (located !== null) return located;
  throw new NotFoundError("This trial is no longer in the open folders.");
}

/** Returns the real path; null if only a plan or statistics name the trial, or if its folder became a link out of the root. */
export function locateFolder(job: JobHead, { folder }: Pick<Trial, "folder">): string | null {
  return folder === "" ? null : resolveFolder(findRootPath(job), folder);
}

/** Folders of jobs and trials are relative to this path. */
function findRootPath({ folder, path }: JobHead): string {
  return folder === "" ? path : path.slice(0, -folder.length - 1);
}
