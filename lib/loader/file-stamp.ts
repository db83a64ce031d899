import { type BigIntStats, lstatSync, statSync } from "node:fs";
import { join } from "node:path";

import type { LoadIssue } from "@/lib/domain/load-issue";

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

/** What stands at a path, without following it out of the root. `own` is the entry itself, `stats` what it leads to, which differ for links. */
export type GuardedStat =
  | { readonly kind: "absent" }
  | { readonly kind: "there"; readonly own: BigIntStats; readonly stats: BigIntStats; readonly path: string }
  /** A link out of the root, which is not followed. */
  | { readonly kind: "outside"; readonly own: BigIntStats }
  /** A link that leads nowhere, or an entry that cannot be looked at (`own` is null then). */
  | { readonly kind: "failed"; readonly own: BigIntStats | null; readonly code: string };

/** Looks at a path, following links that stay below the root. */
export function statGuarded(root: LoadRoot, file: string): GuardedStat {
  // Not path.join: it normalises character by character, and this runs several times a trial.
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

/** Time of writing in nanoseconds, size and inode as one text: equal texts mean an untouched file. */
export function formatStamp({ mtimeNs, size, ino }: BigIntStats): string {
  return `${mtimeNs}:${size}:${ino}`;
}

/** The stamp of what stands at a path: empty when nothing is there, and starting with `!` for what cannot be read as a file. */
export function stampStat(stat: GuardedStat): string {
  if (stat.kind === "absent") return "";
  if (stat.kind === "there" && stat.stats.isFile()) return formatStamp(stat.stats);
  const own = "own" in stat ? stat.own : null;
  if (own !== null) return `!${formatStamp(own)}`;
  return stat.kind === "failed" ? `!${stat.code}` : "!";
}

/** The stamp of whatever stands at a path now, see {@link stampStat}. */
export function stampFile(root: LoadRoot, file: string): string {
  return stampStat(statGuarded(root, file));
}

/** Like {@link stampFile} with the time of the last change of rights or owner, for a file that may not be opened. */
export function stampGuarded(root: LoadRoot, file: string): string {
  const stat = statGuarded(root, file);
  return stat.kind === "there" ? `${stampStat(stat)}:${stat.stats.ctimeNs}` : stampStat(stat);
}

/**
 * Looks whether a folder may be entered: it is there, and no link out of the root stands in its place. The issue is that of
 * such a link, or of a folder that cannot be looked at. The stamp is null for a folder of its own, which cannot become
 * another without its files doing so.
 */
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

/** The issue of a folder that may not be entered, so that nothing is known of what lies in it; null when it may. */
export function findLock(root: LoadRoot, folder: string): LoadIssue | null {
  // The name does not matter: without the right to enter, every look into the folder fails alike.
  const stat = statGuarded(root, joinFolder(folder, "result.json"));
  return stat.kind === "failed" && stat.own === null && isDenial(stat.code)
    ? prepareIssue(root, "folder_unreadable", folder, describeErrorCode(stat.code))
    : null;
}

/** Whether a folder of its own stands at a path; a link is none. */
export function isFolder(root: LoadRoot, folder: string): boolean {
  const stat = statGuarded(root, folder);
  return stat.kind === "there" && stat.own.isDirectory();
}

/** Whether nothing stands at a path, beyond doubt. */
export function isAbsent(root: LoadRoot, file: string): boolean {
  return statGuarded(root, file).kind === "absent";
}
