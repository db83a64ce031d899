import { lstatSync } from "node:fs";

import { compareNames } from "@/lib/core/domain/compare-text";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { TrialFileEntry, TrialFileList } from "@/lib/core/domain/trial-file";

import { readEntries, type FolderEntry } from "../discover/folder-entries";
import { useFolderInside, listFolderInside } from "./open-inside";

const MAX_DEPTH = 12;
const LIMITS = {
  shown: { maxEntries: 1_500, maxChars: 100_000 },
  searched: { maxEntries: 20_000, maxChars: 2_000_000 },
} as const;

interface Walk {
  readonly trialPath: string;
  readonly entries: TrialFileEntry[];
  readonly issues: LoadIssue[];
  cutBy: "entries" | "depth" | null;
  readonly maxEntries: number;
  charsLeft: number;
}

/**
 * Lists at most 1,500 files, or 20,000 for a search, in path order and 12 levels deep. Does not follow links.
 * @param below - subfolder to list, empty for all; paths stay relative to the trial
 */
export async function listTrialFiles(
  trialPath: string,
  below = "",
  purpose: keyof typeof LIMITS = "shown",
): Promise<TrialFileList> {
  const { maxEntries, maxChars } = LIMITS[purpose];
  const walk: Walk = { trialPath, entries: [], issues: [], cutBy: null, maxEntries, charsLeft: maxChars };
  await walkFolder(walk, below, 0);
  const { entries, issues, cutBy } = walk;
  const cutNotes = {
    entries: `Only the first ${entries.length.toLocaleString("en")} entries are listed.`,
    depth: `Folders deeper than ${MAX_DEPTH} levels are not listed.`,
  };
  return { entries, cutNote: cutBy && cutNotes[cutBy], issues };
}

async function walkFolder(walk: Walk, folder: string, depth: number): Promise<void> {
  const walked = await useFolderInside(walk.trialPath, folder, (place) =>
    walkNames(walk, folder, place, depth),
  );
  if (walked.ok) return;
  const { path, detail } = walked.issue;
  walk.issues.push({ code: "folder_unreadable", path, detail: `The folder cannot be listed. ${detail}` });
}

async function walkNames(walk: Walk, folder: string, place: string, depth: number): Promise<void> {
  const { entries, garbled } = readEntries(place);
  const names = [
    ...entries.map(({ name }) => ({ name, isText: true })),
    ...garbled.map(({ name }) => ({ name, isText: false })),
  ];
  for (const { name, isText } of names.sort((a, b) => compareNames(a.name, b.name))) {
    if (walk.entries.length >= walk.maxEntries || walk.charsLeft < 0) {
      walk.cutBy = "entries";
      return;
    }
    const path = folder === "" ? name : `${folder}/${name}`;
    walk.charsLeft -= path.length;
    if (!isText) {
      walk.entries.push({ path, kind: "garbled", sizeBytes: null, depth });
      continue;
    }
    const { kind, sizeBytes } = statEntry(`${place}/${name}`);
    walk.entries.push({ path, kind, sizeBytes, depth });
    if (kind !== "folder") continue;
    if (depth + 1 < MAX_DEPTH) await walkFolder(walk, path, depth + 1);
    else walk.cutBy ??= "depth";
  }
}

function statEntry(path: string): Pick<TrialFileEntry, "kind" | "sizeBytes"> {
  try {
    const stats = lstatSync(path);
    if (stats.isFile()) return { kind: "file", sizeBytes: stats.size };
    if (stats.isSymbolicLink()) return { kind: "link", sizeBytes: null };
    if (stats.isDirectory()) return { kind: "folder", sizeBytes: null };
  } catch {
    // Gone, or in a folder that cannot be searched.
  }
  return { kind: "other", sizeBytes: null };
}

const MAX_STEP_FOLDERS = 100;

/** Skips missing and repeated names, since a result may name thousands. Takes the first 100 folders by name for null. */
export async function chooseStepFolders(
  trialPath: string,
  stepNames: readonly string[] | null,
): Promise<readonly string[]> {
  if (stepNames?.length === 0) return [];
  return selectSteps(await listFolderInside(trialPath, "steps"), stepNames);
}

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
