import { joinFolder, type LoadRoot } from "../discover/load-root";
import { type FolderListing, listFolder } from "../file-access";
import { isAbsent, isFolder, stampFile } from "../file-stamp";

export const DATABASE = "harbor.sqlite3";

export const SERVER_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export function findRollouts(
  root: LoadRoot,
  folder: string,
  { files, folders }: FolderListing,
): string | null {
  if (files.has(DATABASE) && folders.includes("files")) return joinFolder(folder, "files/rollouts");
  if (!folders.includes("rollouts") || !folders.includes("jobs")) return null;
  const rollouts = joinFolder(folder, "rollouts");
  return listRollouts(root, rollouts).length > 0 ? rollouts : null;
}

export function listRollouts(root: LoadRoot, rollouts: string): readonly string[] {
  const listing = isFolder(root, rollouts) ? listFolder(root, rollouts) : null;
  if (listing === null || "code" in listing) return [];
  return listing.folders.filter((name) => SERVER_ID.test(name)).map((name) => joinFolder(rollouts, name));
}

export function locateJobLock(root: LoadRoot, folder: string, id: string): string {
  return `${isAbsent(root, joinFolder(folder, DATABASE)) ? "" : "files/"}jobs/${id}/lock.json`;
}

export function stampDatabase(root: LoadRoot, folder: string): string {
  return ["", "-wal", "-journal"]
    .map((suffix) => stampFile(root, joinFolder(folder, DATABASE + suffix)))
    .join("|");
}
