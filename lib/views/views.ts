import { NotFoundError, StoreError } from "@/lib/domain/app-error";

import { getViewStore, type ViewStore, type ViewTables } from "./store";
import { LONGEST_NAME, NEW_VIEW, parseView, parseViewHref, RENAMED_VIEW, VIEW_ID } from "./view-schema";

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

/** What can be listed of the saved views. */
export interface StoredViews {
  /** Newest first. */
  readonly views: readonly SavedView[];
  /** What cannot be read, and what to do; null when everything can. */
  readonly problem: string | null;
}

/** Returns the saved views, and what of them cannot be read; never throws a StoreError. */
export async function listViews(store: ViewStore = getViewStore()): Promise<StoredViews> {
  try {
    return await store.read<StoredViews>({ views: [], problem: null }, async ({ db }) => {
      const rows = await db
        .selectFrom("views")
        .selectAll()
        .where("deleted_at", "is", null)
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute();
      const views = rows.flatMap((row) => (isReadable(row) ? [toView(row)] : []));
      const wrong = rows.filter((row) => !isReadable(row)).map(({ id }) => id);
      return { views, problem: wrong.length === 0 ? null : describeWrong(store.place, wrong) };
    });
  } catch (error) {
    if (error instanceof StoreError) return { views: [], problem: error.message };
    throw error;
  }
}

function isReadable({ name, href, created_at }: ViewTables["views"]): boolean {
  return (
    name !== "" &&
    name.length <= LONGEST_NAME &&
    parseViewHref(href) === href &&
    !Number.isNaN(Date.parse(created_at))
  );
}

function toView(row: ViewTables["views"]): SavedView {
  return { id: row.id, name: row.name, href: row.href, createdAt: row.created_at, createdBy: row.created_by };
}

function describeWrong(place: string, ids: readonly string[]): string {
  const named = ids.slice(0, MOST_NAMED).join(", ");
  const more = ids.length > MOST_NAMED ? ` and ${String(ids.length - MOST_NAMED)} more` : "";
  return (
    `The saved views in ${place} have rows that are not views of this Assay and are left out: ${named}${more}. ` +
    "Update Assay if a newer version wrote them, otherwise correct or delete them there."
  );
}

/** Most rows that a sentence names. */
const MOST_NAMED = 3;

/** Saves an address under a name, which two views may share. @throws ValidationError, StoreError */
export async function saveView(
  store: ViewStore,
  unchecked: unknown,
  now: Date = new Date(),
): Promise<SavedView> {
  const view = parseView(NEW_VIEW, unchecked);
  const id = crypto.randomUUID();
  const createdAt = now.toISOString();
  await store.write(async ({ db }) => {
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
  const { id, name } = parseView(RENAMED_VIEW, unchecked);
  await change(store, id, { name });
}

/** Takes a view out of every list; {@link restoreView} brings it back. @throws ValidationError, NotFoundError, StoreError */
export async function deleteView(store: ViewStore, id: unknown): Promise<void> {
  await change(store, parseView(VIEW_ID, { id }).id, { deleted_at: new Date().toISOString() });
}

/** Undoes {@link deleteView}. @throws ValidationError, NotFoundError, StoreError */
export async function restoreView(store: ViewStore, id: unknown): Promise<void> {
  await change(store, parseView(VIEW_ID, { id }).id, { deleted_at: null });
}

async function change(
  store: ViewStore,
  id: string,
  values: { readonly name: string } | { readonly deleted_at: string | null },
): Promise<void> {
  const nChanged = await store.write(async ({ db }) => {
    const query = db.updateTable("views").set(values).where("id", "=", id);
    // A name is given to what can be seen only.
    const { numUpdatedRows } = await (
      "name" in values ? query.where("deleted_at", "is", null) : query
    ).executeTakeFirst();
    return numUpdatedRows;
  });
  if (nChanged === 0n) throw new NotFoundError("This view was deleted meanwhile.");
}
