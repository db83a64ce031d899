import { type FolderListing, listFolder } from "../file-access";
import { isFolder, stampFile } from "../file-stamp";
import { joinFolder, type LoadRoot, parentFolder } from "../discover/load-root";
import { FolderReader } from "../folder-reader";
import { RUNS_FOLDER } from "./run-manifests";

/** Holds triage verdicts, one file per trial. */
export const TRIAGE_FOLDER = "_annotations";

const FEEDBACK = "feedback";
/** Feedback subfolders to read; `items` is derived from adjudications. */
const FEEDBACK_PARTS = ["annotations", "adjudications", "calibrations", "reviewers"] as const;
/** Finds the nearest feedback folder, next to the experiment or to a parent folder. */
export function findFeedback(root: LoadRoot, ledgerFolder: string): string | null {
  let above = ledgerFolder;
  for (;;) {
    above = parentFolder(above);
    const feedback = joinFolder(above, FEEDBACK);
    if (isFolder(root, feedback)) return feedback;
    if (above === "") return null;
  }
}

/** Changes with an experiment's manifests, triage verdicts and reviewer files. */
export function stampLedgerFiles(root: LoadRoot, ledgerFolder: string): string {
  const feedback = findFeedback(root, ledgerFolder);
  const folders = [RUNS_FOLDER, TRIAGE_FOLDER].map((name) => joinFolder(ledgerFolder, name));
  if (feedback !== null) folders.push(...FEEDBACK_PARTS.map((part) => joinFolder(feedback, part)));
  const reader = new FolderReader(root, "");
  return folders.flatMap((folder) => stampBelow(reader, folder, 1)).join("|");
}

function stampBelow(reader: FolderReader, folder: string, depth: number): string[] {
  const listing = listOwnFolder(reader, folder);
  if (listing === null) return [`${folder}!`];
  const own = [...listing.files].map((name) => {
    const file = joinFolder(folder, name);
    return `${file}:${stampFile(reader.root, file)}`;
  });
  const below = depth === 0 ? [] : listing.folders;
  return [...own, ...below.flatMap((name) => stampBelow(reader, joinFolder(folder, name), depth - 1))];
}

/** Returns null if absent, a link, or unlistable (with an issue). */
export function listOwnFolder({ root, issues }: FolderReader, folder: string): FolderListing | null {
  if (!isFolder(root, folder)) return null;
  const listing = listFolder(root, folder);
  if (!("code" in listing)) return listing;
  issues.push(listing);
  return null;
}

/** Lists JSON files directly in a folder, sorted, relative to the root. */
export function listJsonFiles(reader: FolderReader, folder: string): string[] {
  const files = [...(listOwnFolder(reader, folder)?.files ?? [])];
  return files.filter((name) => name.endsWith(".json")).map((name) => joinFolder(folder, name));
}
