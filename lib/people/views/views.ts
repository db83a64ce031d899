import { StoreError } from "@/lib/core/domain/app-error";

import { changeNamedRow, describeWrongRows } from "./named-rows";
import { getViewStore, type ViewStore } from "./store";
import type { ViewTables } from "./tables";
import { LONGEST_NAME, NEW_VIEW, parseView, parseViewHref, RENAMED_VIEW, VIEW_ID } from "./view-schema";

export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly href: string;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  /** Reviewer name of the browser; null if it had none. */
  readonly createdBy: string | null;
}

interface StoredViews {
  readonly views: readonly SavedView[];
  readonly problem: string | null;
}

/** Never throws a StoreError; `problem` reports it. */
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

/** Names need not be unique. @throws ValidationError, StoreError */
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

/** @throws ValidationError, NotFoundError, StoreError */
export async function deleteView(store: ViewStore, id: unknown): Promise<void> {
  await changeNamedRow(store, "views", parseView(VIEW_ID, { id }).id, {
    deleted_at: new Date().toISOString(),
  });
}

/** @throws ValidationError, NotFoundError, StoreError */
export async function restoreView(store: ViewStore, id: unknown): Promise<void> {
  await changeNamedRow(store, "views", parseView(VIEW_ID, { id }).id, { deleted_at: null });
}
