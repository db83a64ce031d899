import { findStringEnd } from "@/lib/core/domain/count-values";

import { readBytes } from "../detail/files/file-bytes";
import { type JsonObject, isObject, parseJsonText } from "../detail/json-shape";
import { useFileInside } from "../detail/open-inside";
import { computeDigest } from "../hashes";
import type { RawTrajectory } from "./raw-trajectory";

export interface TraceHead {
  readonly file: string;
  readonly text: string;
  readonly keys: ReadonlySet<string>;
  readonly records: readonly JsonObject[];
  readonly nTexts: number;
  readonly isList: boolean;
}

export interface TraceLog {
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
  readonly records: readonly unknown[];
  /** Record ids from earlier files of the trace: a resumed session repeats them. */
  readonly seen: Set<string>;
  readonly read: (file: string) => Promise<string | null>;
  readonly files: readonly string[];
}

export interface TraceReader {
  readonly format: string;
  /** Completes "This format does not record …"; null if nothing is missing. */
  readonly lacks: string | null;
  readonly holds: "value" | "lines" | "text";
  readonly isSession?: boolean;
  readonly alternative?: TraceReader;
  /** Detects the format by content; file names are unreliable. */
  readonly recognise: (head: TraceHead) => boolean;
  /** @returns null if the format does not match after all */
  readonly parse: (log: TraceLog) => RawTrajectory | Promise<RawTrajectory> | null;
}

const HEAD_BYTES = 256 * 1024;
const MAX_RECORDS = 200;
const LIST_START = /^\[\s*(?:[\]{"[]|$)/u;

/** Returns null if empty or unreadable, undefined if absent. */
export async function readHead(trialPath: string, file: string): Promise<TraceHead | null | undefined> {
  const read = await readBeginning(trialPath, file);
  return read && (read.bytes.length === 0 ? null : makeHead(file, read.bytes.toString("utf8")));
}

/** Hashes a file's size and head; null if unreadable. */
export async function digestBeginning(trialPath: string, file: string): Promise<string | null> {
  const read = await readBeginning(trialPath, file);
  return read ? computeDigest(`${read.size}:${computeDigest(read.bytes)}`) : null;
}

async function readBeginning(trialPath: string, file: string) {
  const read = await useFileInside(trialPath, file, async (open) => ({
    bytes: await readBytes(open, 0, HEAD_BYTES),
    size: open.sizeBytes,
  }));
  if (read.ok) return read.value;
  return read.isAbsent ? undefined : null;
}

function makeHead(file: string, text: string): TraceHead {
  const body = text.replace(/^\uFEFF/u, "").trimStart();
  const lines = body.split("\n", MAX_RECORDS).map((line) => line.trim());
  const records = lines.filter((line) => line.startsWith("{")).flatMap((line) => parseObject(line));
  const isLines =
    lines.length > 1 && records.length > 0 && !LIST_START.test(lines[0] ?? "") && lines[0] !== "{";
  const scan = isLines ? NOTHING : scanValue(body);
  return {
    file,
    text,
    keys: scan.keys,
    nTexts: isLines ? lines.filter((line) => line !== "").length - records.length : 0,
    isList: !isLines && LIST_START.test(body.slice(0, 1000)),
    records: scan.entries.length > 0 ? scan.entries : records,
  };
}

const NOTHING = { keys: new Set<string>(), entries: [] } as const;

function parseObject(text: string): readonly JsonObject[] {
  const value = parseJsonText(text);
  return isObject(value) ? [value] : [];
}

function scanValue(text: string): Pick<TraceHead, "keys"> & { readonly entries: readonly JsonObject[] } {
  const keys = new Set<string>();
  const entries: JsonObject[] = [];
  const isObjectText = text.startsWith("{");
  let depth = 0;
  let opened = 0;
  for (let at = 0; at < text.length && entries.length < MAX_RECORDS; at++) {
    const char = text[at] ?? "";
    if (char === '"') {
      const end = findStringEnd(text, at);
      if (depth === 1 && isObjectText && /^\s*:/u.test(text.slice(end + 1, end + 40)))
        keys.add(text.slice(at + 1, end));
      at = end;
    } else if ("{[".includes(char)) {
      if (depth++ === 1) opened = at;
    } else if ("}]".includes(char) && --depth === 1 && !isObjectText) {
      entries.push(...parseObject(text.slice(opened, at + 1)));
    }
    if (depth === 0) break;
  }
  return { keys, entries };
}
