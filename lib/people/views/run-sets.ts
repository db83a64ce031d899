import { StoreError } from "@/lib/core/domain/app-error";

import type { RunSetMember } from "./members";
import { changeNamedRow, describeWrongRows } from "./named-rows";
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

export interface SavedRunSet {
  /** Eight hex digits, used in URLs. */
  readonly id: string;
  readonly name: string;
  readonly members: readonly RunSetMember[];
  /** Rule on job names, see `findRunSets`, that adds new jobs; null if the set is fixed. */
  readonly rule: string | null;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  /** Reviewer name of the browser; null if it had none. */
  readonly createdBy: string | null;
  /** Deleted sets are unlisted and can be restored. */
  readonly isDeleted: boolean;
}

interface StoredRunSets {
  readonly sets: readonly SavedRunSet[];
  /** Sets of runs that are no repeats of each other, in the same order. */
  readonly apart: readonly SavedRunSet[];
  /** Names what cannot be read, and the remedy; null if everything can. */
  readonly problem: string | null;
}

const NOTHING: StoredRunSets = { sets: [], apart: [], problem: null };

/** Never throws a StoreError; `problem` reports it. */
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

/** Saves runs as counted together, under a name that need not be unique, or as no repeats. @throws ValidationError, StoreError */
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

/** @throws ValidationError, NotFoundError, StoreError */
export async function deleteRunSet(store: ViewStore, id: unknown): Promise<void> {
  await changeNamedRow(store, "run_sets", parseView(RUN_SET_ID, { id }).id, {
    deleted_at: new Date().toISOString(),
  });
}

/** @throws ValidationError, NotFoundError, StoreError */
export async function restoreRunSet(store: ViewStore, id: unknown): Promise<void> {
  await changeNamedRow(store, "run_sets", parseView(RUN_SET_ID, { id }).id, { deleted_at: null });
}
