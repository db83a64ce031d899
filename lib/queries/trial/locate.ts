import "server-only";

import { cache } from "react";

import { NotFoundError } from "@/lib/domain/app-error";
import type { LoadIssue } from "@/lib/domain/load-issue";
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

import { getStore } from "../shell/catalog";

/** A trial and where it lies. */
export interface LocatedTrial {
  readonly entry: JobHead;
  readonly trial: TrialRecord;
  readonly row: TrialRow;
  readonly rootLabel: string;
  /** Absolute path of its folder, or of its record where it is a ledger's; null when the trial is only known from a plan or from the job's statistics. */
  readonly path: string | null;
  /** The opened folder that it lies in. */
  readonly root: { readonly index: number; readonly label: string; readonly path: string };
  /** Names of its steps in the order they ran; null for a single-step trial. */
  readonly stepNames: readonly string[] | null;
}

/**
 * The trial that two keys of an address stand for.
 *
 * @throws NotFoundError when no open folder holds it
 */
export const locateTrial = cache(async (jobKey: string, trialKey: string): Promise<LocatedTrial> => {
  return findTrial(await getStore(), jobKey, trialKey);
});

/** Whether two keys of an address stand for a trial. */
export async function isTrialThere(jobKey: string, trialKey: string): Promise<boolean> {
  try {
    await locateTrial(jobKey, trialKey);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/**
 * The trial that two keys stand for in an index.
 *
 * @throws NotFoundError when it is not there
 */
export async function findTrial(store: IndexStore, jobKey: string, trialKey: string): Promise<LocatedTrial> {
  const entry = await readHead(store, jobKey);
  const row = entry === null ? null : await readTrial(store, entry.id, trialKey);
  if (entry === null || row === null) {
    throw new NotFoundError("This trial is not in the open folders.", { context: { jobKey, trialKey } });
  }
  const { trial } = row;
  const rootLabel = await readRootLabel(store, entry.job.root);
  return {
    entry,
    trial,
    row,
    rootLabel,
    root: { index: entry.job.root, label: rootLabel, path: findRootPath(entry) },
    path: locateFolder(entry, trial),
    stepNames: trial.steps?.map((step) => step.stepName) ?? null,
  };
}

/** Where a trial lies, for whoever reads its files. */
export function placeTrial({ path, root, stepNames, trial }: LocatedTrial): TrialPlace {
  return { path, root, stepNames, ledger: trial.ledger === null ? null : trial };
}

/** Issues of detail files with the same kind of path as the load report: root label, folder, file. */
export function placeIssues(located: LocatedTrial, issues: readonly LoadIssue[]): readonly LoadIssue[] {
  const prefix = prepareIssuePath(located);
  return issues.map((issue) => ({ ...issue, path: issue.path === "" ? prefix : `${prefix}/${issue.path}` }));
}

/** Path of a trial's folder as the load report writes it. */
export function prepareIssuePath({ rootLabel, trial }: LocatedTrial): string {
  return `${rootLabel}/${trial.folder}`;
}

/**
 * Real absolute path of a trial's folder, or of a ledger's record; null when the trial is only known from a plan or from the
 * job's statistics, or when its folder has become a link out of the root.
 */
export function locateFolder(entry: JobHead, { folder }: Pick<TrialRecord, "folder">): string | null {
  return folder === "" ? null : resolveFolder(findRootPath(entry), folder);
}

/** Absolute path of the opened folder that a job lies in; folders of jobs and trials are relative to it. */
function findRootPath({ job, path }: JobHead): string {
  return job.folder === "" ? path : path.slice(0, -job.folder.length - 1);
}
