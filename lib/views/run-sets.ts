import { StoreError } from "@/lib/domain/app-error";

import { changeNamedRow, describeWrongRows } from "./named-rows";
import type { RunSetMember } from "./members";
import { getViewStore, type ViewStore } from "./store";
import type { ViewTables } from "./tables";
import {
  LONGEST_NAME,
  NEW_RUN_SET,
  parseView,
  RENAMED_RUN_SET,
  RUN_SET_ID,
  RUN_SET_KINDS,
  RUN_SET_MEMBERS,
} from "./view-schema";

/** Runs that are counted together under a name. */
export interface SavedRunSet {
  /** Eight letters and digits, by which addresses name it. */
  readonly id: string;
  readonly name: string;
  /** In their order, 1 to 50. */
  readonly members: readonly RunSetMember[];
  /** Rule on names of jobs by which it takes up new ones; null where it stays as it was saved. */
  readonly rule: string | null;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  /** Who reviewed in that browser; null when nobody had. */
  readonly createdBy: string | null;
  /** Whether it was deleted; it is then in no list and can be brought back. */
  readonly isDeleted: boolean;
}

/** What can be read of the saved run sets. */
export interface StoredRunSets {
  /** Newest first, deleted ones among them. */
  readonly sets: readonly SavedRunSet[];
  /** Runs that are no repeats of one another, whatever their names: in the same order. */
  readonly apart: readonly SavedRunSet[];
  /** What cannot be read, and what to do; null when everything can. */
  readonly problem: string | null;
}

const NOTHING: StoredRunSets = { sets: [], apart: [], problem: null };

/** Returns the saved run sets, and what of them cannot be read; never throws a StoreError. */
export async function readRunSets(store: ViewStore = getViewStore()): Promise<StoredRunSets> {
  try {
    return await store.read<StoredRunSets>(NOTHING, async ({ db }) => {
      const rows = await db
        .selectFrom("run_sets")
        .selectAll()
        .orderBy("created_at", "desc")
        .orderBy("id")
        .execute();
      const read = rows.map((row) => ({ id: row.id, kind: row.kind, set: readRow(row) }));
      const wrong = read.flatMap(({ id, set }) => (set === null ? id : []));
      const listKind = (kind: (typeof RUN_SET_KINDS)[number]) =>
        read.flatMap((row) => (row.kind === kind && row.set !== null ? row.set : []));
      return {
        sets: listKind("together"),
        apart: listKind("apart"),
        problem: describeWrongRows("run_sets", store.place, wrong),
      };
    });
  } catch (error) {
    if (error instanceof StoreError) return { ...NOTHING, problem: error.message };
    throw error;
  }
}

/** The set of a row; null for a row that is none. */
function readRow(row: ViewTables["run_sets"]): SavedRunSet | null {
  const members = RUN_SET_MEMBERS.safeParse(parseJson(row.members));
  const isReadable =
    members.success &&
    RUN_SET_KINDS.some((kind) => kind === row.kind) &&
    RUN_SET_ID.safeParse(row).success &&
    row.name !== "" &&
    row.name.length <= LONGEST_NAME &&
    !Number.isNaN(Date.parse(row.created_at));
  if (!isReadable) return null;
  const { id, name, rule, created_at: createdAt, created_by: createdBy, deleted_at: deletedAt } = row;
  return { id, name, members: members.data, rule, createdAt, createdBy, isDeleted: deletedAt !== null };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Saves runs under a name, which two sets may share, or that they are no repeats. @throws ValidationError, StoreError */
export async function saveRunSet(
  store: ViewStore,
  unchecked: unknown,
  now: Date = new Date(),
): Promise<SavedRunSet> {
  const { name, members, createdBy, kind, rule } = parseView(NEW_RUN_SET, unchecked);
  const id = crypto.randomUUID().slice(0, 8);
  const createdAt = now.toISOString();
  await store.write(async ({ db }) => {
    await db
      .insertInto("run_sets")
      .values({
        id,
        name,
        members: JSON.stringify(members),
        kind,
        rule,
        created_at: createdAt,
        created_by: createdBy,
        deleted_at: null,
      })
      .execute();
  });
  return { id, name, members, rule, createdAt, createdBy, isDeleted: false };
}

/** @throws ValidationError, NotFoundError when it was deleted meanwhile, StoreError */
export async function renameRunSet(store: ViewStore, unchecked: unknown): Promise<void> {
  const { id, name } = parseView(RENAMED_RUN_SET, unchecked);
  await changeNamedRow(store, "run_sets", id, { name });
}

/** Takes a run set out of every list; {@link restoreRunSet} brings it back. @throws ValidationError, NotFoundError, StoreError */
export async function deleteRunSet(store: ViewStore, id: unknown): Promise<void> {
  await changeNamedRow(store, "run_sets", parseView(RUN_SET_ID, { id }).id, {
    deleted_at: new Date().toISOString(),
  });
}

/** Undoes {@link deleteRunSet}. @throws ValidationError, NotFoundError, StoreError */
export async function restoreRunSet(store: ViewStore, id: unknown): Promise<void> {
  await changeNamedRow(store, "run_sets", parseView(RUN_SET_ID, { id }).id, { deleted_at: null });
}
