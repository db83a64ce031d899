import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";

import type { LoadIssue, LoadIssueCode } from "@/lib/domain/load-issue";

import { staysInside } from "../opened-inside";

/** A folder that was opened. Everything that is read lies below its real path. */
export interface LoadRoot {
  /** Index into the catalog's roots. */
  readonly index: number;
  /** Short name that starts every issue's path. */
  readonly label: string;
  /** Real absolute path. */
  readonly path: string;
}

/** A folder, relative to its root with `/`, that stands for the root itself when it is also a trial. */
export const ROOT_AS_TRIAL = ".";

/** `folder` and `name` joined with `/`, either of which may be empty. */
export function joinFolder(folder: string, name: string): string {
  if (folder === "" || folder === ROOT_AS_TRIAL) return name;
  return name === "" ? folder : `${folder}/${name}`;
}

/** The folder above, empty for a folder directly below the root. */
export function parentFolder(folder: string): string {
  const at = folder.lastIndexOf("/");
  return at === -1 ? "" : folder.slice(0, at);
}

/** The last part of `folder`, or the root's label for the root itself. */
export function folderName(root: LoadRoot, folder: string): string {
  if (folder === "" || folder === ROOT_AS_TRIAL) return root.label;
  return folder.slice(folder.lastIndexOf("/") + 1);
}

/** What a file says may stand in a detail, however long it is. */
const MAX_DETAIL = 1000;

/** An issue about `folder` (or a file in it), with the root's label in front. */
export function prepareIssue(root: LoadRoot, code: LoadIssueCode, folder: string, detail: string): LoadIssue {
  const rest = folder === ROOT_AS_TRIAL ? "" : folder;
  const path = rest === "" ? root.label : `${root.label}/${rest}`;
  return { code, path, detail: detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}…` : detail };
}

/** The issue of a link that leads out of the root, or into another opened folder inside of it. */
export function refuseLink(root: LoadRoot, folder: string): LoadIssue {
  const detail =
    "The link leads out of the opened folder, or into another one inside of it, and was not followed. Open its target as a folder of its own.";
  return prepareIssue(root, "link_outside_root", folder, detail);
}

/** Where a link leads, relative to the root; null when that is outside of it or in a folder inside of it that is opened as well, and the error's code when it leads nowhere. */
export function resolveLink(root: LoadRoot, folder: string): { target: string | null } | { failure: string } {
  try {
    const path = join(root.path, folder);
    const target = realpathSync(path);
    if (!staysInside(root.path, path, target)) return { target: null };
    return { target: relative(root.path, target).split(sep).join("/") };
  } catch (error) {
    return { failure: readErrorCode(error) };
  }
}

/** Real absolute path of a folder below a root, or the one it would have when it is not there; null when links lead out or into another opened folder. */
export function resolveFolder(rootPath: string, folder: string): string | null {
  const path = join(rootPath, folder);
  try {
    const target = realpathSync(path);
    return staysInside(rootPath, path, target) ? target : null;
  } catch (error) {
    readErrorCode(error);
    return path;
  }
}

/** Why something on disk could not be read and what to do about it, by the code of the system's error: a sentence or two. */
export function describeErrorCode(code: string): string {
  if (isDenial(code)) return "No permission to read it. Allow it to the user that Assay runs as.";
  if (code === "ELOOP") return "The links lead in a circle. Replace them with what they should lead to.";
  if (code === "ENOENT") return "It is gone, or a broken link. Restore what should be there.";
  return `It cannot be read (${code}).`;
}

/** Whether an error's code says that rights forbid the reading. */
export function isDenial(code: string): boolean {
  return code === "EACCES" || code === "EPERM";
}

/** `ENOENT`, `EACCES` and the like; anything that is no such error is thrown on. */
export function readErrorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
