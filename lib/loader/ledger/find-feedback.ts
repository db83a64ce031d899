import { type FolderListing, listFolder } from "../file-access";
import { isFolder, stampFile } from "../file-stamp";
import { joinFolder, type LoadRoot, parentFolder } from "../discover/load-root";
import { FolderReader } from "../folder-reader";
import { RUNS_FOLDER } from "./run-manifests";

/** Folder of a ledger's experiment that holds verdicts of triage, a file a trial. */
export const TRIAGE_FOLDER = "_annotations";

const FEEDBACK = "feedback";
/** Folders of the feedback folder that are read; its `items` follow from adjudications. */
const FEEDBACK_PARTS = ["annotations", "adjudications", "calibrations", "reviewers"] as const;
/** The folder of reviewers' judgments that belongs to an experiment: the nearest one beside it or beside a folder above. */
export function findFeedback(root: LoadRoot, ledgerFolder: string): string | null {
  let above = ledgerFolder;
  for (;;) {
    above = parentFolder(above);
    const feedback = joinFolder(above, FEEDBACK);
    if (isFolder(root, feedback)) return feedback;
    if (above === "") return null;
  }
}

/** A text that changes whenever a manifest, a verdict of triage or a reviewer's file of an experiment may have changed. */
export function stampLedgerFiles(root: LoadRoot, ledgerFolder: string): string {
  const feedback = findFeedback(root, ledgerFolder);
  const folders = [RUNS_FOLDER, TRIAGE_FOLDER].map((name) => joinFolder(ledgerFolder, name));
  if (feedback !== null) folders.push(...FEEDBACK_PARTS.map((part) => joinFolder(feedback, part)));
  const reader = new FolderReader(root, "");
  return folders.flatMap((folder) => stampBelow(reader, folder, 1)).join("|");
}

/** Files of a folder and of those `depth` levels below it, each with its stamp. */
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

/** What a folder holds; null where it is not there, is a link, or cannot be listed, which is an issue. */
export function listOwnFolder({ root, issues }: FolderReader, folder: string): FolderListing | null {
  if (!isFolder(root, folder)) return null;
  const listing = listFolder(root, folder);
  if (!("code" in listing)) return listing;
  issues.push(listing);
  return null;
}

/** JSON files directly in a folder, in order, relative to the root. */
export function listJsonFiles(reader: FolderReader, folder: string): string[] {
  const files = [...(listOwnFolder(reader, folder)?.files ?? [])];
  return files.filter((name) => name.endsWith(".json")).map((name) => joinFolder(folder, name));
}
