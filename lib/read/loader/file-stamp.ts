import { type BigIntStats, lstatSync, statSync } from "node:fs";
import { join } from "node:path";

import type { LoadIssue } from "@/lib/core/domain/load-issue";

import {
  describeErrorCode,
  isDenial,
  joinFolder,
  type LoadRoot,
  prepareIssue,
  readErrorCode,
  refuseLink,
  resolveLink,
} from "./discover/load-root";

const LSTAT_OPTIONS = { bigint: true, throwIfNoEntry: false } as const;

/** `own` is the entry itself and `stats` its target; they differ for links. */
type GuardedStat =
  | { readonly kind: "absent" }
  | { readonly kind: "there"; readonly own: BigIntStats; readonly stats: BigIntStats; readonly path: string }
  | { readonly kind: "outside"; readonly own: BigIntStats }
  | { readonly kind: "failed"; readonly own: BigIntStats | null; readonly code: string };

export function statGuarded(root: LoadRoot, file: string): GuardedStat {
  // Not path.join: it normalises per character, and this runs several times per trial.
  const path = `${root.path}/${file}`;
  let own: BigIntStats | undefined;
  try {
    own = lstatSync(path, LSTAT_OPTIONS);
    if (own === undefined) return { kind: "absent" };
    if (!own.isSymbolicLink()) return { kind: "there", own, stats: own, path };
    const link = resolveLink(root, file);
    if ("failure" in link) return { kind: "failed", own, code: link.failure };
    if (link.target === null) return { kind: "outside", own };
    const target = join(root.path, link.target);
    return { kind: "there", own, stats: statSync(target, { bigint: true }), path: target };
  } catch (error) {
    return { kind: "failed", own: own ?? null, code: readErrorCode(error) };
  }
}

export function formatStamp({ mtimeNs, size, ino }: BigIntStats): string {
  return `${mtimeNs}:${size}:${ino}`;
}

/** Returns an empty stamp if absent. Starts with `!` if unreadable as a file. */
export function stampStat(stat: GuardedStat): string {
  if (stat.kind === "absent") return "";
  if (stat.kind === "there" && stat.stats.isFile()) return formatStamp(stat.stats);
  const own = "own" in stat ? stat.own : null;
  if (own !== null) return `!${formatStamp(own)}`;
  return stat.kind === "failed" ? `!${stat.code}` : "!";
}

export function stampFile(root: LoadRoot, file: string): string {
  return stampStat(statGuarded(root, file));
}

/** Like {@link stampStat} plus ctime, for files that may not be opened: it changes with owner and permissions. */
export function stampForDenied(stat: GuardedStat): string {
  return stat.kind === "there" ? `${stampStat(stat)}:${stat.stats.ctimeNs}` : stampStat(stat);
}

/** The stamp is null for a real folder, which cannot be replaced without changing its files. */
export function statFolder(root: LoadRoot, folder: string) {
  const stat = statGuarded(root, folder);
  const canEnter = stat.kind === "there" && stat.stats.isDirectory();
  const stamp = canEnter && stat.own === stat.stats ? null : stampStat(stat);
  return { canEnter, stamp, issue: describeClosed(root, folder, stat) };
}

function describeClosed(root: LoadRoot, folder: string, stat: GuardedStat): LoadIssue | null {
  if (stat.kind === "outside") return refuseLink(root, folder);
  if (stat.kind !== "failed") return null;
  return prepareIssue(root, "folder_unreadable", folder, describeErrorCode(stat.code));
}

export function findLock(root: LoadRoot, folder: string): LoadIssue | null {
  // Any name works: without search permission every lookup fails alike.
  const stat = statGuarded(root, joinFolder(folder, "result.json"));
  return stat.kind === "failed" && stat.own === null && isDenial(stat.code)
    ? prepareIssue(root, "folder_unreadable", folder, describeErrorCode(stat.code))
    : null;
}

export function isFolder(root: LoadRoot, folder: string): boolean {
  const stat = statGuarded(root, folder);
  return stat.kind === "there" && stat.own.isDirectory();
}

/** True only if certainly absent. */
export function isAbsent(root: LoadRoot, file: string): boolean {
  return statGuarded(root, file).kind === "absent";
}
