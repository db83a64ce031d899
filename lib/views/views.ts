import { StoreError } from "@/lib/domain/app-error";

import { changeNamedRow, describeWrongRows } from "./named-rows";
import { getViewStore, type ViewStore } from "./store";
import type { ViewTables } from "./tables";
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
      return { views, problem: describeWrongRows("views", store.place, wrong) };
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
  await changeNamedRow(store, "views", id, { name });
}

/** Takes a view out of every list; {@link restoreView} brings it back. @throws ValidationError, NotFoundError, StoreError */
export async function deleteView(store: ViewStore, id: unknown): Promise<void> {
  await changeNamedRow(store, "views", parseView(VIEW_ID, { id }).id, {
    deleted_at: new Date().toISOString(),
  });
}

/** Undoes {@link deleteView}. @throws ValidationError, NotFoundError, StoreError */
export async function restoreView(store: ViewStore, id: unknown): Promise<void> {
  await changeNamedRow(store, "views", parseView(VIEW_ID, { id }).id, { deleted_at: null });
}
