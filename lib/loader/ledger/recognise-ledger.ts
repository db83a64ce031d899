import { basename, dirname } from "node:path";

import type { DiscoveryMemo } from "../discover/discovery-memo";
import type { FolderListing } from "../file-access";
import { classifyFiles } from "../discover/foreign-layout";
import type { LoadRoot } from "../discover/load-root";
import { TRIAGE_FOLDER } from "./find-feedback";
import { RUNS_FOLDER } from "./run-manifests";

/**
 * Whether a folder is an experiment of a ledger: it holds records of trials, or lies in a folder named `ledger` with what
 * an experiment keeps beside its records, so that one whose first records are broken is still one. Looks into a few JSON
 * files.
 */
export function isExperiment(
  root: LoadRoot,
  memo: DiscoveryMemo,
  folder: string,
  { files, folders }: FolderListing,
): boolean {
  const isNamedSo = basename(dirname(locate(root, folder))) === LEDGER;
  const hasOwnFolder = folders.includes(RUNS_FOLDER) || folders.includes(TRIAGE_FOLDER);
  if (isNamedSo && hasOwnFolder && [...files].some((name) => name.endsWith(".json"))) return true;
  return classifyFiles(root, memo, folder, files).some(({ kind }) => kind === "ledger-record");
}

const LEDGER = "ledger";

/** Whether a folder is named as the one that holds a ledger's experiments. */
export function isLedgerFolder(root: LoadRoot, folder: string): boolean {
  return basename(locate(root, folder)) === LEDGER;
}

function locate(root: LoadRoot, folder: string): string {
  return folder === "" ? root.path : `${root.path}/${folder}`;
}
