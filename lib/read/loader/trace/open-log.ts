import { countValues, findTooManyValues, MOST_TRIAL_VALUES } from "@/lib/core/domain/count-values";
import type { LoadIssue, Parsed } from "@/lib/core/domain/load-issue";

import { isNestedDeeper } from "../detail/json-shape";
import { readBytesInside } from "../detail/open-inside";
import { parseLooseJson } from "../detail/parse-loose-json";
import { computeDigest } from "../hashes";
import { parseStepTime, type RawTrajectory } from "./raw-trajectory";
import { parseLine } from "./recording";
import { digestBeginning, readHead, type TraceLog, type TraceReader } from "./trace-reader";
import { TRACE_READERS } from "./trace-readers";

/** Larger files are reported, not read: parsing needs several times their size in memory. */
const MAX_FILE_BYTES = 96 * 1024 * 1024;
/** Limit for all trace files of a trial, since sessions, episodes and subagents are many. */
export const MAX_TRACE_BYTES = 2 * MAX_FILE_BYTES;
export const MAX_TRACE_VALUES = 2 * MOST_TRIAL_VALUES;

export interface TrajectoryFiles {
  readonly trialPath: string;
  readonly listed: readonly string[];
  readonly issues: LoadIssue[];
  readonly files: string[];
  readonly digests: Map<string, string | null>;
  bytesLeft: number;
  valuesLeft: number;
  readonly notes: string[];
  readonly seen: Set<string>;
}

export async function findReader(trialPath: string, file: string) {
  const head = await readHead(trialPath, file);
  if (head === undefined) return null;
  if (head === null)
    return { reader: null, reason: "empty, or not readable", startedMs: null, isWhole: false, isAtif: false };
  const reader = TRACE_READERS.find(({ recognise }) => recognise(head)) ?? null;
  const keys = [...head.keys, ...Object.keys(head.records[0] ?? {})].slice(0, 5);
  const kind = head.text.includes("\0") ? "no text" : "text of no known format";
  const reason = keys.length > 0 ? `JSON with the keys ${keys.join(", ")}` : kind;
  const times = head.records.map((record) => parseStepTime(record["timestamp"])?.epochMs ?? null);
  return {
    reader,
    reason,
    startedMs: times.find((time) => time !== null) ?? null,
    isWhole: head.isList || head.keys.size > 0,
    isAtif: head.keys.has("schema_version") && /"schema_version"\s*:\s*"ATIF-/u.test(head.text),
  };
}

/** Returns null if absent, or unreadable with an issue. @param asked - reader; null detects it */
export async function loadTrajectoryFile(
  files: TrajectoryFiles,
  file: string,
  asked: TraceReader | null = null,
): Promise<RawTrajectory | null> {
  const found = await findReader(files.trialPath, file);
  const reader = asked ?? found?.reader ?? null;
  const text = await readBounded(files, file);
  if (text === null) return null;
  files.files.push(file);
  if (!text.ok) return report(files, text.issue);
  const holds = reader?.holds ?? (file.endsWith(".jsonl") ? "lines" : "value");
  const isWhole = holds === "value" || found?.isWhole === true;
  const content = readContent(files, file, text.value, { holds, isWhole });
  if (!content.ok) return report(files, content.issue);
  return await parseLog(files, { file, ...content.value, ...readBeside(files) }, reader);
}

async function parseLog(files: TrajectoryFiles, log: TraceLog, reader: TraceReader | null) {
  const raw = reader === null ? null : await reader.parse(log);
  const oddities = raw === null ? [NO_TRACE] : raw.oddities;
  for (const detail of oddities) files.issues.push({ code: "field_invalid", path: log.file, detail });
  return raw;
}

const NO_TRACE =
  "Neither an ATIF trajectory (an object with `steps`) nor a list of records. Open the file to read it.";

function readBeside(files: TrajectoryFiles): Pick<TraceLog, "files" | "read" | "seen"> {
  return {
    seen: files.seen,
    files: files.listed,
    read: async (file) => {
      const text = await readBounded(files, file);
      if (text?.ok !== true) return null;
      const nValues = countValues(text.value, Math.min(files.valuesLeft, text.value.length - 1));
      if (nValues > files.valuesLeft) {
        const note = "Its files have more values than are read together; later ones are left out.";
        if (!files.notes.includes(note)) files.notes.push(note);
        return null;
      }
      files.valuesLeft -= nValues;
      files.files.push(file);
      return text.value;
    },
  };
}

async function readBounded(files: TrajectoryFiles, file: string): Promise<Parsed<string> | null> {
  const read = await readBytesInside(files.trialPath, file, Math.min(MAX_FILE_BYTES, files.bytesLeft));
  if (read === null) return null;
  if (!read.ok) {
    const isLarge = read.issue.code === "file_too_large";
    if (!files.digests.has(file))
      files.digests.set(file, isLarge ? await digestBeginning(files.trialPath, file) : null);
    return read;
  }
  const bytes = read.value;
  if (!files.digests.has(file)) files.digests.set(file, computeDigest(bytes));
  const text = bytes.toString("utf8");
  files.bytesLeft -= text.length;
  return { ok: true, value: text };
}

function report(files: TrajectoryFiles, issue: LoadIssue): null {
  files.issues.push(issue);
  return null;
}

function readContent(
  files: TrajectoryFiles,
  file: string,
  text: string,
  { holds, isWhole }: { readonly holds: TraceReader["holds"]; readonly isWhole: boolean },
): Parsed<Pick<TraceLog, "text" | "value" | "records">> {
  if (holds === "text") return { ok: true, value: { text, value: undefined, records: [] } };
  const whole = isWhole ? parseLooseJson(text, file) : null;
  if (whole?.ok === true) {
    const { value } = whole;
    const records: readonly unknown[] = Array.isArray(value) ? value : [value];
    return { ok: true, value: { text, value, records: holds === "lines" ? records : [] } };
  }
  if (whole !== null && holds === "value") return whole;
  const lines = parseLines(files, text, file);
  return lines.ok ? { ok: true, value: { text, value: undefined, records: lines.value } } : lines;
}

function parseLines(files: TrajectoryFiles, text: string, file: string): Parsed<unknown[]> {
  // Counts at least one value per line, the cost of an empty record.
  const issue = findTooManyValues(text.replaceAll("\n", ","), file, MOST_TRIAL_VALUES);
  if (issue !== null) return { ok: false, issue };
  const records: unknown[] = [];
  const skipped: number[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const value = parseLine(line);
    if (value === undefined || isNestedDeeper(value)) skipped.push(index + 1);
    else records.push(value);
  }
  const [first] = skipped;
  if (first !== undefined)
    files.notes.push(
      skipped.length === 1
        ? `Line ${first} of ${file} is not JSON and was left out.`
        : `${skipped.length} lines of ${file} are not JSON and were left out; the first is line ${first}.`,
    );
  return { ok: true, value: records };
}
