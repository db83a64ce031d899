import { addSaved, createVerbs, listSaved } from "./saved";
import { getViewStore, type ViewStore } from "./store";
import { type Entry, NEW_RUN_SET, parseView, RUN_SET_ID, type RunSetBody } from "./view-schema";

/** The id is eight hex digits, used in URLs. Deleted sets are unlisted and can be restored. */
export type SavedRunSet = Omit<Entry<RunSetBody>, "kind">;

interface StoredRunSets {
  readonly sets: readonly SavedRunSet[];
  /** Sets of runs that are no repeats of each other, in the same order. */
  readonly apart: readonly SavedRunSet[];
  readonly problem: string | null;
}

/** See `listSaved`. */
export async function readRunSets(store: ViewStore = getViewStore()): Promise<StoredRunSets> {
  const { entries, problem } = await listSaved(store, "run_set");
  const listKind = (wanted: RunSetBody["kind"]) =>
    entries.flatMap(({ kind, ...set }) => (kind === wanted ? set : []));
  return { sets: listKind("together"), apart: listKind("apart"), problem };
}

/** Saves runs as counted together, under a name that need not be unique, or as no repeats. @throws ValidationError, StoreError */
export async function saveRunSet(
  store: ViewStore,
  unchecked: unknown,
  now: Date = new Date(),
): Promise<SavedRunSet> {
  const { kind, ...content } = parseView(NEW_RUN_SET, unchecked);
  const made = { id: crypto.randomUUID().slice(0, 8), createdAt: now.toISOString(), isDeleted: false };
  const set = { ...content, ...made };
  await addSaved(store, "run_set", { ...set, kind });
  return set;
}

export const {
  rename: renameRunSet,
  remove: deleteRunSet,
  restore: restoreRunSet,
} = createVerbs("run_set", RUN_SET_ID);
