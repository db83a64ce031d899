import type { FolderEntry } from "../discover/folder-entries";
import { listFolderInside } from "./open-inside";

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
