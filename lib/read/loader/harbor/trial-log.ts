import { stripVTControlCharacters } from "node:util";

import type { LogPlace } from "@/lib/core/domain/verifier-check";

import { listVerifierFolders } from "../detail/details-file";
import { countLineFeeds } from "../detail/files/file-bytes";
import { joinFolder, type LoadRoot } from "../discover/load-root";
import { listOrNull, type OpenFile, openForReading, readChunks } from "../file-access";
import { statFolder, stampFile } from "../file-stamp";
import { readLogEnd } from "./verifier-crash";

const TAIL_BYTES = 1 << 18;
const MAX_COUNTED_BYTES = 64 << 20;
const MAX_LOGS = 16;
const MAX_LINE = 2000;

export interface LogTail {
  readonly lines: readonly string[];
  readonly texts: readonly string[];
  readonly isWhole: boolean;
  /** Returns the line number, from 1, of an entry of `lines`; null if the log is too long to count. */
  readonly lineOf: (at: number) => number | null;
}

/** Reads the last 256 KiB of a log while it is open; null if absent or unreadable. @param file - relative to the root */
export function useLogTail<T>(root: LoadRoot, file: string, use: (tail: LogTail) => T): T | null {
  return openForReading(root, file, (open) => {
    const from = Math.max(0, open.size - TAIL_BYTES);
    const texts = readTail(open, from).split("\n");
    const lines = texts.map(cleanLine);
    let nBefore: number | null | undefined;
    const lineOf = (at: number) => {
      if (nBefore === undefined) nBefore = countLines(open, from);
      return nBefore === null ? null : nBefore + at + 1;
    };
    return use({ lines, texts, isWhole: from === 0, lineOf });
  });
}

export function listLogs(root: LoadRoot, folder: string): readonly string[] {
  if (!statFolder(root, folder).canEnter) return [];
  const entries = listOrNull(root, folder)?.entries ?? [];
  return entries
    .map(({ name }) => name)
    .filter((name) => /\.(?:txt|log)$/.test(name) && name !== "reward.txt")
    .sort()
    .slice(0, MAX_LOGS);
}

function readTail(open: OpenFile, from: number): string {
  const pieces = [...readChunks(open, from, open.size)].map((bytes) => Buffer.from(bytes));
  return Buffer.concat(pieces).toString("utf8");
}

function cleanLine(text: string): string {
  return stripVTControlCharacters(text.slice(0, MAX_LINE)).trimEnd();
}

function countLines(open: OpenFile, to: number): number | null {
  if (to > MAX_COUNTED_BYTES) return null;
  let count = 0;
  for (const bytes of readChunks(open, 0, to)) count += countLineFeeds(bytes);
  return count;
}

const RUN = /^Running command: /;
const END = /^Command (?:outputs captured|failed)$/;
const HEREDOC = /<<-?\s*(["']?)(\w+)\1/y;

/**
 * Marks lines of a `trial.log` that are text of a Harbor command, including the quoted task instruction. A command ends
 * with its end message, or with its quotes if it timed out before that.
 * @see harbor 0.24.0 src/harbor/agents/installed/base.py, `_exec`
 */
export function markCommands({ texts, isWhole }: Pick<LogTail, "texts" | "isWhole">): readonly boolean[] {
  const marks = texts.map(() => false);
  const first = texts.findIndex((text) => RUN.test(text) || END.test(text));
  if (!isWhole && first !== -1 && END.test(texts[first] ?? "")) marks.fill(true, 0, first);
  let mayClose = true;
  for (let at = findFrom(texts, RUN, 0, texts.length); at < texts.length;) {
    const closed: number | null = mayClose ? findClosed(texts, at) : null;
    mayClose = closed !== null;
    const next = findFrom(texts, RUN, closed ?? at + 1, texts.length);
    const end = findFrom(texts, END, closed ?? at + 1, next);
    marks.fill(true, at, end < next ? end : (closed ?? next));
    at = next;
  }
  return marks;
}

function findFrom(texts: readonly string[], pattern: RegExp, from: number, to: number): number {
  for (let at = from; at < to; at++) if (pattern.test(texts[at] ?? "")) return at;
  return to;
}

function findClosed(texts: readonly string[], from: number): number | null {
  let quote = "";
  let heredoc: string | null = null;
  for (let at = from; at < texts.length; at++) {
    const text = texts[at] ?? "";
    if (heredoc !== null) {
      if (text.trim() !== heredoc) continue;
      return at + 1;
    }
    ({ quote, heredoc } = readQuotes(text, quote));
    if (quote === "" && heredoc === null && !text.endsWith("\\")) return at + 1;
  }
  return null;
}

function readQuotes(text: string, before: string) {
  let quote = before;
  let heredoc: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\\" && quote !== "'") at++;
    else if (char === quote) quote = "";
    else if (quote !== "") continue;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "<" && !text.startsWith("<<<", at)) {
      HEREDOC.lastIndex = at;
      const found = HEREDOC.exec(text);
      if (found === null) continue;
      heredoc = found[2] ?? null;
      at = HEREDOC.lastIndex - 1;
    } else if (char === "<") at += 2;
  }
  return { quote, heredoc };
}

const CANCELLED = /^Trial \S+ cancelled$/;
const VERIFYING =
  /^\s+File "[^"\n]*[/\\]harbor[/\\](?:verifier[/\\][^"\n]*", line \d+|[^"\n]*", line \d+, in _run\w*_verifier\b)/;

/**
 * Finds the line where Harbor cancelled a trial, if its traceback proves that the verifier was running. The traceback follows the
 * line, or is in `exception.txt` if the trial had no earlier exception.
 * @see harbor 0.24.0 src/harbor/trial/trial.py, `run` and `_record_exception`
 */
export function findCancelledVerifier(root: LoadRoot, folder: string) {
  const file = "trial.log";
  const found = useLogTail(root, joinFolder(folder, file), (tail) => {
    const commands = markCommands(tail);
    const at = tail.lines.findLastIndex((line, index) => CANCELLED.test(line) && commands[index] === false);
    if (at === -1) return null;
    return {
      place: { file, line: tail.lineOf(at) },
      said: tail.lines[at] ?? "",
      behind: findFrames(tail.lines.slice(at + 1)),
    };
  });
  if (found === null) return null;
  const { place, said, behind } = found;
  const frames =
    behind ?? useLogTail(root, joinFolder(folder, "exception.txt"), ({ lines }) => findFrames(lines));
  return frames === null ? null : { place, text: [said, ...frames].join("\n") };
}

function findFrames(lines: readonly string[]): readonly string[] | null {
  const frame = lines.findLast((line) => VERIFYING.test(line));
  const raised = lines.findLast((line) => /^[\w.]*CancelledError\b/.test(line));
  return frame === undefined || raised === undefined ? null : [frame, raised];
}

/**
 * Finds where a log shows that the verifier did not finish: cancelled in `trial.log`, or crashed in its own log. Null
 * otherwise, or if tests are known to have failed. Reads the last 256 KiB of `trial.log` and of each verifier's first 16
 * `*.txt` and `*.log` files. Use it for trials without a reward or with 0: many scripts write 0 on any exit.
 */
export function findVerifierCrash(root: LoadRoot, folder: string, steps: readonly string[]): LogPlace | null {
  const cancelled = findCancelledVerifier(root, folder);
  if (cancelled !== null) return cancelled.place;
  for (const { folder: verifier } of listVerifierFolders(steps)) {
    const place = findCrashIn(root, folder, verifier);
    if (place !== null) return place;
  }
  return null;
}

function findCrashIn(root: LoadRoot, folder: string, verifier: string): LogPlace | null {
  const logs = listLogs(root, joinFolder(folder, verifier)).flatMap((name) => {
    const file = `${verifier}/${name}`;
    const read = useLogTail(root, joinFolder(folder, file), ({ lines, lineOf }) => {
      const end = readLogEnd(lines);
      return { ...end, place: end.traceback === null ? null : { file, line: lineOf(end.traceback) } };
    });
    return read ?? [];
  });
  const crash = logs.find(({ place }) => place !== null);
  if (crash === undefined || logs.some(({ saysFailure }) => saysFailure)) return null;
  // Written when a test run ends. Passed tests do not explain a 0; unknown ones may.
  const hasReport = stampFile(root, joinFolder(folder, `${verifier}/ctrf.json`)) !== "";
  return hasReport && !logs.some(({ saysSummary }) => saysSummary) ? null : crash.place;
}
