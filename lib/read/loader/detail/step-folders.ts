import { type FolderEntry, readEntries } from "../discover/folder-entries";
import { useFolderInside } from "./open-inside";

const MAX_STEP_FOLDERS = 100;

/** Skips missing and repeated names, since a result may name thousands. Takes the first 100 folders by name for null. */
export async function chooseStepFolders(
  trialPath: string,
  stepNames: readonly string[] | null,
): Promise<readonly string[]> {
  if (stepNames?.length === 0) return [];
  const list = (place: string) => Promise.resolve(readEntries(place));
  const listing = await useFolderInside(trialPath, "steps", list);
  return selectSteps(listing.ok ? listing.value.entries : [], stepNames);
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
