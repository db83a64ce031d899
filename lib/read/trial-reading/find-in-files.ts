import { type Excerpt, takeExcerpt } from "@/lib/core/domain/excerpt";
import type { TrialFileEntry } from "@/lib/core/domain/trial-file";
import { listTrialFiles, readLedgerDetails, useTextInside } from "@/lib/read/loader/detail";

import { takeFileRows, type TrialPlace } from "./place";
import { type FindRequest, StoppableSearch } from "./stoppable-search";

interface FoundLine extends Excerpt {
  readonly line: number;
}

interface FoundFile {
  readonly path: string;
  readonly isNamed: boolean;
  readonly nLines: number;
  readonly lines: readonly FoundLine[];
}

const REASONS = ["binary", "unreadable", "too-large", "out-of-time"] as const;

export type NotSearched = (typeof REASONS)[number];

export type FoundInFiles = Awaited<ReturnType<typeof findInFiles>>;

const MAX_FILE_BYTES = 64 << 20;
const MAX_BYTES = 256 << 20;
const MAX_MS = 4_000;
const MAX_MATCHES = 10_000;
const MAX_LISTED_LINES = 300;
const MAX_LINES_OF_FILE = 30;
const MAX_LISTED_FILES = 200;
const MAX_NAMED_PATHS = 20;

interface Walk {
  readonly search: StoppableSearch;
  readonly endMs: number;
  bytesLeft: number;
  linesLeft: number;
  nMatches: number;
  nLines: number;
  nSearched: number;
  problem: string | null;
}

export async function findInFiles(place: TrialPlace, request: FindRequest) {
  const { folder, entries } = await listSearched(place);
  const files = entries.filter(({ kind }) => kind === "file");
  const search = new StoppableSearch(request);
  const paths = files.map(({ path }) => path);
  const named = search.run(
    paths,
    paths.map((_, at) => at),
    0,
  );
  const isNamed = new Set(typeof named === "string" ? [] : named.map(([at]) => at));
  const walk: Walk = {
    search,
    endMs: performance.now() + MAX_MS,
    bytesLeft: MAX_BYTES,
    linesLeft: MAX_LISTED_LINES,
    nMatches: 0,
    nLines: 0,
    nSearched: 0,
    problem: typeof named === "string" ? named : null,
  };
  const found: FoundFile[] = [];
  const notSearched: Record<NotSearched, string[]> = {
    binary: [],
    unreadable: [],
    "too-large": [],
    "out-of-time": [],
  };
  for (const [at, entry] of files.entries()) {
    if (walk.problem !== null || walk.nMatches >= MAX_MATCHES) break;
    const { lines, nLines, reason } = await searchFile(walk, folder, entry);
    if (reason !== null) notSearched[reason].push(entry.path);
    if (nLines === 0 && !isNamed.has(at)) continue;
    found.push({ path: entry.path, isNamed: isNamed.has(at), nLines, lines });
  }
  return {
    files: takeFileRows(
      found.slice(0, MAX_LISTED_FILES),
      [place.path ?? ""],
      ({ lines }) => 1 + lines.length,
    ),
    nLines: walk.nLines,
    nFiles: found.length,
    hasMore: walk.nMatches >= MAX_MATCHES,
    nSearched: walk.nSearched,
    notSearched: REASONS.flatMap((reason) => {
      const all = notSearched[reason];
      return all.length === 0 ? [] : [{ reason, n: all.length, paths: all.slice(0, MAX_NAMED_PATHS) }];
    }),
    problem: walk.problem,
  };
}

async function listSearched({ path, root, ledger }: TrialPlace) {
  if (ledger !== null) return { folder: root.path, entries: (await readLedgerDetails(root, ledger)).entries };
  if (path === null) return { folder: "", entries: [] };
  return { folder: path, entries: (await listTrialFiles(path, "", "searched")).entries };
}

interface SearchedFile extends Pick<FoundFile, "lines" | "nLines"> {
  readonly reason: NotSearched | null;
}

async function searchFile(
  walk: Walk,
  folder: string,
  { path, sizeBytes }: TrialFileEntry,
): Promise<SearchedFile> {
  const lines: FoundLine[] = [];
  const nBefore = walk.nLines;
  const isOutOfTime = () => performance.now() > walk.endMs || walk.bytesLeft <= 0;
  if (isOutOfTime()) return { lines, nLines: 0, reason: "out-of-time" };
  let reason: NotSearched | null = null;
  let read = 0;
  let line = 1;
  const noText = await useTextInside(folder, path, ({ text, nBytes }) => {
    walk.bytesLeft -= nBytes;
    read += nBytes;
    const places = walk.search.run([text], [0], MAX_MATCHES - walk.nMatches);
    if (typeof places === "string") {
      walk.problem = places;
      return false;
    }
    line = listLines(walk, text, line, places, lines);
    walk.nMatches += places.length;
    if (walk.nMatches >= MAX_MATCHES) return false;
    if (read >= (sizeBytes ?? 0)) return true;
    if (isOutOfTime()) reason = "out-of-time";
    else if (read >= MAX_FILE_BYTES) reason = "too-large";
    return reason === null;
  });
  if (noText === null) walk.nSearched++;
  return { lines, nLines: walk.nLines - nBefore, reason: noText ?? reason };
}

/** Returns the number of the line after the text. */
function listLines(
  walk: Walk,
  text: string,
  firstLine: number,
  places: readonly (readonly [number, number, number])[],
  lines: FoundLine[],
): number {
  let line = firstLine;
  let at = 0;
  let last = 0;
  const goTo = (to: number) => {
    for (let found = text.indexOf("\n", at); found >= 0 && found < to; found = text.indexOf("\n", at)) {
      line++;
      at = found + 1;
    }
  };
  for (const [, start, end] of places) {
    goTo(start);
    if (line === last) continue;
    last = line;
    walk.nLines++;
    if (lines.length >= MAX_LINES_OF_FILE || walk.linesLeft === 0) continue;
    walk.linesLeft--;
    const stop = text.indexOf("\n", start);
    const [from, to] = [at, stop < 0 ? text.length : stop];
    lines.push({ line, ...takeExcerpt(text.slice(from, to), start - from, Math.min(end, to) - from) });
  }
  goTo(text.length);
  return line;
}
