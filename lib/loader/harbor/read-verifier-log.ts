import { stripVTControlCharacters } from "node:util";

import type { LogPlace } from "@/lib/domain/verifier-check";

import { listVerifierFolders } from "../detail/details-file";
import { listOrNull } from "../file-access";
import { type OpenFile, readChunks, openForReading } from "../file-chunks";
import { stampFile, statFolder } from "../file-stamp";
import { joinFolder, type LoadRoot } from "../discover/load-root";
import { type LogEnd, readLogEnd } from "./verifier-crash";

/** A traceback that a program died of is at the end of what it wrote. */
const TAIL_BYTES = 1 << 18;
/** Lines of longer logs are not counted. */
const MAX_COUNTED_BYTES = 64 << 20;
const MAX_LOGS = 16;
const MAX_LINE = 2000;

interface Log extends LogEnd {
  readonly place: LogPlace | null;
}

/**
 * The place at which a verifier's log shows that the verifier itself died; null when none does, or when tests are known to
 * have failed. Looks at the last 256 KiB of the first 16 `*.txt` and `*.log` files of each verifier. For trials without a
 * reward or with one of 0: many scripts write 0 when they exit for whatever reason.
 */
export function findVerifierCrash(root: LoadRoot, folder: string, steps: readonly string[]): LogPlace | null {
  for (const { folder: verifier } of listVerifierFolders(steps)) {
    const place = findCrashIn(root, folder, verifier);
    if (place !== null) return place;
  }
  return null;
}

function findCrashIn(root: LoadRoot, folder: string, verifier: string): LogPlace | null {
  const logs = listLogs(root, joinFolder(folder, verifier)).map((name) =>
    readLog(root, folder, `${verifier}/${name}`),
  );
  const crash = logs.find(({ place }) => place !== null);
  if (crash === undefined || logs.some(({ saysFailure }) => saysFailure)) return null;
  // This report is written when a test run ends. Passed tests do not explain a 0, tests of which nothing is known may.
  const hasReport = stampFile(root, joinFolder(folder, `${verifier}/ctrf.json`)) !== "";
  return hasReport && !logs.some(({ saysSummary }) => saysSummary) ? null : crash.place;
}

function listLogs(root: LoadRoot, verifier: string): readonly string[] {
  if (!statFolder(root, verifier).canEnter) return [];
  // It was there a moment ago, or may not be listed.
  const entries = listOrNull(root, verifier)?.entries ?? [];
  return entries
    .map(({ name }) => name)
    .filter((name) => /\.(?:txt|log)$/.test(name) && name !== "reward.txt")
    .sort()
    .slice(0, MAX_LOGS);
}

function readLog(root: LoadRoot, folder: string, file: string): Log {
  const read = openForReading(root, joinFolder(folder, file), (open): Log => {
    const from = Math.max(0, open.size - TAIL_BYTES);
    const end = readLogEnd(splitLines(readTail(open, from)));
    if (end.traceback === null) return { ...end, place: null };
    const before = from === 0 ? 0 : countLineFeeds(open, from);
    return { ...end, place: { file, line: before === null ? null : before + end.traceback + 1 } };
  });
  return typeof read === "string" ? { ...readLogEnd([]), place: null } : read;
}

function readTail(open: OpenFile, from: number): string {
  const pieces = [...readChunks(open, from, open.size)].map((bytes) => Buffer.from(bytes));
  return Buffer.concat(pieces).toString("utf8");
}

function splitLines(text: string): readonly string[] {
  return text.split("\n").map((line) => stripVTControlCharacters(line.slice(0, MAX_LINE)).trimEnd());
}

/** Line feeds before a place in a file; null when counting takes too long. */
function countLineFeeds(open: OpenFile, to: number): number | null {
  if (to > MAX_COUNTED_BYTES) return null;
  let count = 0;
  for (const bytes of readChunks(open, 0, to)) {
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++;
  }
  return count;
}
