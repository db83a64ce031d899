import { NotFoundError, StoreError } from "@/lib/domain/app-error";

import { getViewStore, type ViewStore } from "./store";
import { type NewView, parseNewView, parseRename, parseViewId } from "./view-schema";

/** An address of this program with a name. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** Path and query of a page. */
  readonly href: string;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  /** Who reviewed in that browser; null when nobody had. */
  readonly createdBy: string | null;
}

/** Every saved view, newest first; empty when none was ever saved. */
export async function listViews(store: ViewStore): Promise<readonly SavedView[]> {
  return store.read([], async (db) => {
    const rows = await db
      .selectFrom("views")
      .selectAll()
      .where("deleted_at", "is", null)
      .orderBy("created_at", "desc")
      .orderBy("id")
      .execute();
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      href: row.href,
      createdAt: row.created_at,
      createdBy: row.created_by,
    }));
  });
}

/** Number of saved views; null when the store cannot be read, which is not 0. For the frame around every page. */
export async function countViews(store: ViewStore = getViewStore()): Promise<number | null> {
  try {
    return await store.read(0, async (db) => {
      const { n } = await db
        .selectFrom("views")
        .select((select) => select.fn.countAll<number>().as("n"))
        .where("deleted_at", "is", null)
        .executeTakeFirstOrThrow();
      return n;
    });
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

/**
 * Saves an address under a name. Two views may have one name: who saved it and when tells them apart.
 *
 * @param unchecked - `NewView` as it comes from a page
 * @throws ValidationError, StoreError
 */
export async function saveView(
  store: ViewStore,
  unchecked: unknown,
  now: Date = new Date(),
): Promise<SavedView> {
  const view: NewView = parseNewView(unchecked);
  const id = crypto.randomUUID();
  const createdAt = now.toISOString();
  await store.write(async (db) => {
    await db
      .insertInto("views")
      .values({
        id,
        name: view.name,
        href: view.href,
        created_at: createdAt,
        created_by: view.createdBy,
        deleted_at: null,
      })
      .execute();
  });
  return { id, createdAt, ...view };
}

/** @throws ValidationError, NotFoundError when it was deleted meanwhile, StoreError */
export async function renameView(store: ViewStore, unchecked: unknown): Promise<void> {
  const { id, name } = parseRename(unchecked);
  await change(store, id, { name });
}

/** Takes a view out of every list; {@link restoreView} brings it back. @throws ValidationError, NotFoundError, StoreError */
export async function deleteView(store: ViewStore, id: unknown, now: Date = new Date()): Promise<void> {
  await change(store, parseViewId(id), { deleted_at: now.toISOString() });
}

/** Undoes {@link deleteView}. @throws ValidationError, NotFoundError, StoreError */
export async function restoreView(store: ViewStore, id: unknown): Promise<void> {
  await change(store, parseViewId(id), { deleted_at: null });
}

async function change(
  store: ViewStore,
  id: string,
  values: { readonly name: string } | { readonly deleted_at: string | null },
): Promise<void> {
  const nChanged = await store.write(async (db) => {
    const query = db.updateTable("views").set(values).where("id", "=", id);
    // A name is given to what can be seen only.
    const { numUpdatedRows } = await (
      "name" in values ? query.where("deleted_at", "is", null) : query
    ).executeTakeFirst();
    return numUpdatedRows;
  });
  if (nChanged === 0n) throw new NotFoundError("This view was deleted meanwhile.", { context: { id } });
}
