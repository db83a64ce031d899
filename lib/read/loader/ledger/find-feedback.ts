import { joinFolder, type LoadRoot, parentFolder } from "../discover/load-root";
import { type FolderListing, listFolder } from "../file-access";
import { isFolder, stampFile } from "../file-stamp";
import { FolderReader } from "../folder-reader";
import { RUNS_FOLDER } from "./run-manifests";

export const TRIAGE_FOLDER = "_annotations";

const FEEDBACK = "feedback";
const FEEDBACK_PARTS = ["annotations", "adjudications", "calibrations", "reviewers"] as const;
export function findFeedback(root: LoadRoot, ledgerFolder: string): string | null {
  let above = ledgerFolder;
  for (;;) {
    above = parentFolder(above);
    const feedback = joinFolder(above, FEEDBACK);
    if (isFolder(root, feedback)) return feedback;
    if (above === "") return null;
  }
}

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

export function listOwnFolder({ root, issues }: FolderReader, folder: string): FolderListing | null {
  if (!isFolder(root, folder)) return null;
  const listing = listFolder(root, folder);
  if (!("code" in listing)) return listing;
  issues.push(listing);
  return null;
}

export function listJsonFiles(reader: FolderReader, folder: string): string[] {
  const files = [...(listOwnFolder(reader, folder)?.files ?? [])];
  return files.filter((name) => name.endsWith(".json")).map((name) => joinFolder(folder, name));
}
