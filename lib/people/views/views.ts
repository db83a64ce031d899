import { addSaved, createVerbs, listSaved } from "./saved";
import { getViewStore, type ViewStore } from "./store";
import { type Entry, NEW_VIEW, parseView, VIEW_ID, type ViewBody } from "./view-schema";

export type SavedView = Omit<Entry<ViewBody>, "isDeleted">;

interface StoredViews {
  readonly views: readonly SavedView[];
  readonly problem: string | null;
}

/** See `listSaved`. */
export async function listViews(store: ViewStore = getViewStore()): Promise<StoredViews> {
  const { entries, problem } = await listSaved(store, "view");
  return { views: entries.flatMap(({ isDeleted, ...view }) => (isDeleted ? [] : view)), problem };
}

/** Names need not be unique. @throws ValidationError, StoreError */
export async function saveView(
  store: ViewStore,
  unchecked: unknown,
  now: Date = new Date(),
): Promise<SavedView> {
  const made = { id: crypto.randomUUID(), createdAt: now.toISOString() };
  const view = { ...made, ...parseView(NEW_VIEW, unchecked) };
  await addSaved(store, "view", { ...view, isDeleted: false });
  return view;
}

export const { rename: renameView, remove: deleteView, restore: restoreView } = createVerbs("view", VIEW_ID);
