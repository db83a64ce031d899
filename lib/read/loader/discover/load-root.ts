import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";

import type { LoadIssue, LoadIssueCode } from "@/lib/core/domain/load-issue";

import { staysInside } from "../opened-inside";

/** An opened folder. All reads stay below its real path. */
export interface LoadRoot {
  readonly index: number;
  readonly label: string;
  readonly path: string;
}

export const ROOT_AS_TRIAL = ".";

export function joinFolder(folder: string, name: string): string {
  if (folder === "" || folder === ROOT_AS_TRIAL) return name;
  return name === "" ? folder : `${folder}/${name}`;
}

export function parentFolder(folder: string): string {
  const at = folder.lastIndexOf("/");
  return at === -1 ? "" : folder.slice(0, at);
}

export function folderName(root: LoadRoot, folder: string): string {
  if (folder === "" || folder === ROOT_AS_TRIAL) return root.label;
  return folder.slice(folder.lastIndexOf("/") + 1);
}

/** True if a name, which may be any text, is a single path segment. */
export function isOneName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);
}

/** Details may quote file content of any length. */
const MAX_DETAIL = 1000;

export function prepareIssue(root: LoadRoot, code: LoadIssueCode, folder: string, detail: string): LoadIssue {
  const rest = folder === ROOT_AS_TRIAL ? "" : folder;
  const path = rest === "" ? root.label : `${root.label}/${rest}`;
  return { code, path, detail: detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL)}…` : detail };
}

export function refuseLink(root: LoadRoot, folder: string): LoadIssue {
  const detail =
    "The link points outside the opened folder, or into another one inside it, and was not followed. Open its target separately.";
  return prepareIssue(root, "link_outside_root", folder, detail);
}

/** Returns the target relative to the root; null if outside or in another opened folder; the error code if broken. */
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

/** Returns the real path, even if absent; null if links leave the root or enter another opened folder. */
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

export function describeErrorCode(code: string): string {
  if (isDenial(code)) return "No permission to read it. Grant it to the user that runs Assay.";
  if (code === "ELOOP") return "The links form a loop. Replace them with their intended targets.";
  if (code === "ENOENT") return "It is gone, or a broken link. Restore it.";
  return `It cannot be read (${code}).`;
}

export function isDenial(code: string): boolean {
  return code === "EACCES" || code === "EPERM";
}

/** Rethrows anything that is not a system error. */
export function readErrorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
