import { basename, dirname } from "node:path";

import type { DiscoveryMemo } from "../discover/discovery-memo";
import { classifyFiles } from "../discover/foreign-layout";
import type { LoadRoot } from "../discover/load-root";
import type { FolderListing } from "../file-access";
import { TRIAGE_FOLDER } from "./find-feedback";
import { RUNS_FOLDER } from "./run-manifests";

/** Also accepts a folder in `ledger` with an experiment's other files, so that invalid first records do not hide it. */
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

export function isLedgerFolder(root: LoadRoot, folder: string): boolean {
  return basename(locate(root, folder)) === LEDGER;
}

function locate(root: LoadRoot, folder: string): string {
  return folder === "" ? root.path : `${root.path}/${folder}`;
}
