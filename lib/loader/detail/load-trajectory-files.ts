import type { LoadIssue, Parsed } from "@/lib/domain/load-issue";
import { findTooManyValues, MOST_TRIAL_VALUES } from "@/lib/schema/count-values";

import { type FolderEntry, readEntries } from "../discover/folder-entries";
import { isObject } from "./json-shape";
import { readTextInside, useFolderInside } from "./open-inside";
import { parseAtif } from "./parse-atif";
import { parseLooseJson } from "./parse-loose-json";
import { parsePlainTrajectory } from "./parse-plain-trajectory";
import type { RawTrajectory } from "./raw-trajectory";

/** Larger files are reported and not read: parsing one needs several times its size in memory. */
const MAX_TRAJECTORY_BYTES = 96 * 1024 * 1024;

const MAX_STEP_FOLDERS = 100;

/** Reads trajectory files of one trial and keeps what went wrong. */
export interface TrajectoryFiles {
  readonly trialPath: string;
  readonly issues: LoadIssue[];
  readonly files: string[];
}

/** An entry point: the first file of a lane, and the step of a multi-step trial that it belongs to. */
export interface TrajectoryStart {
  readonly file: string;
  readonly phase: string | null;
}

/** Files in which a trial's main agent may have left its trajectory, in reading order. */
export async function listTrajectoryStarts(
  trialPath: string,
  stepNames: readonly string[] | null,
): Promise<readonly TrajectoryStart[]> {
  const steps = await chooseStepFolders(trialPath, stepNames);
  return [
    { file: "agent/trajectory.json", phase: null },
    ...steps.map((phase) => ({ file: `steps/${phase}/agent/trajectory.json`, phase })),
  ];
}

/**
 * The folders below `steps/` that are to be read: those of `stepNames` that are there, in that order and each once, of
 * which a result may name thousands; for null the first 100 by name.
 */
export async function chooseStepFolders(
  trialPath: string,
  stepNames: readonly string[] | null,
): Promise<readonly string[]> {
  if (stepNames?.length === 0) return [];
  const list = (place: string) => Promise.resolve(readEntries(place));
  const listing = await useFolderInside(trialPath, "steps", list);
  return selectSteps(listing.ok ? listing.value.entries : [], stepNames);
}

/** Which entries of `steps/` are to be read, see {@link chooseStepFolders}. */
export function selectSteps(
  entries: readonly Pick<FolderEntry, "name" | "isDirectory">[],
  stepNames: readonly string[] | null,
): readonly string[] {
  if (stepNames === null) {
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    return folders.sort().slice(0, MAX_STEP_FOLDERS);
  }
  const there = new Set(entries.map((entry) => entry.name));
  return [...new Set(stepNames)].filter((name) => there.has(name));
}

/** One trajectory file, ATIF or a plain list (`.json` or one record a line). Null when absent or unreadable. */
export async function loadTrajectoryFile(
  files: TrajectoryFiles,
  file: string,
): Promise<RawTrajectory | null> {
  const text = await readTextInside(files.trialPath, file, MAX_TRAJECTORY_BYTES);
  if (text === null) return null;
  files.files.push(file);
  if (!text.ok) return report(files, text.issue);
  const parsed = file.endsWith(".jsonl")
    ? parseLines(files, text.value, file)
    : parseLooseJson(text.value, file);
  if (!parsed.ok) return report(files, parsed.issue);
  const raw = parseAnyTrajectory(parsed.value);
  if (raw === null) {
    const detail =
      "Neither an ATIF trajectory (an object with `steps`) nor a list of records. Open the file to read it.";
    return report(files, { code: "field_invalid", path: file, detail });
  }
  for (const detail of raw.oddities) files.issues.push({ code: "field_invalid", path: file, detail });
  return raw;
}

function report(files: TrajectoryFiles, issue: LoadIssue): null {
  files.issues.push(issue);
  return null;
}

/** Chooses the form by shape: a list, an object with `steps`, or an object with `messages`. Null for anything else. */
function parseAnyTrajectory(value: unknown): RawTrajectory | null {
  if (Array.isArray(value)) return parsePlainTrajectory(value);
  if (!isObject(value)) return null;
  if (Array.isArray(value["steps"])) return parseAtif(value);
  return Array.isArray(value["messages"]) ? parsePlainTrajectory(value["messages"]) : null;
}

function parseLines(files: TrajectoryFiles, text: string, file: string): Parsed<unknown[]> {
  // Each line has one value at least, which may be all that an empty record has.
  const issue = findTooManyValues(text.replaceAll("\n", ","), file, MOST_TRIAL_VALUES);
  if (issue !== null) return { ok: false, issue };
  const records: unknown[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const parsed = parseLooseJson(line, file);
    if (parsed.ok) records.push(parsed.value);
    else
      files.issues.push({ ...parsed.issue, detail: `Line ${index + 1} is skipped. ${parsed.issue.detail}` });
  }
  return { ok: true, value: records };
}
