import { NotFoundError, StoreError } from "@/lib/core/domain/app-error";
import { compareText } from "@/lib/core/domain/compare-text";
import { listNames } from "@/lib/core/format/list-names";
import { toColumnText } from "@/lib/store/database";

import {
  addStatements,
  createReader,
  type Kind,
  type NewStatement,
  readStatements,
  type Statement,
} from "../annotations/statements/statement";
import type { AnnotationDb } from "../annotations/tables";
import { limitSaved } from "./limit-saved";
import { getViewStore, type ViewStore } from "./store";
import {
  type Bodies,
  type Entries,
  type Entry,
  NAME,
  NEW_RUN_SET,
  NEW_VIEW,
  parseView,
  RUN_SET_BODY,
  RUN_SET_ID,
  type RunSetBody,
  type Saved,
  type SavedKind,
  VIEW_BODY,
  VIEW_ID,
  type ViewBody,
} from "./view-schema";

const VIEW: Kind<ViewBody> = { name: "view", body: VIEW_BODY };
const RUN_SET: Kind<RunSetBody> = {
  name: "run_set",
  body: RUN_SET_BODY,
  findContradiction: ({ id, parent }) =>
    RUN_SET_ID.safeParse({ id: parent ?? id }).success ? null : "not of a run set",
};

/** A statement replaces the one before with the same parent, which is the first. */
function add<Body>(before: Entries<Body>["byId"], added: readonly Statement<Body>[]): Entries<Body>["byId"] {
  const byId = new Map(before);
  for (const { id: own, parent, author, at: createdAt, body } of added) {
    const id = parent ?? own;
    const first = byId.get(id) ?? { id, createdAt, createdBy: author === "" ? null : author };
    byId.set(id, { ...first, ...body });
  }
  return byId;
}

const createSavedReader = <Body>(kind: Kind<Body>) =>
  createReader(kind, { byId: new Map() as Entries<Body>["byId"] }, ({ byId }, added) => ({
    byId: add(byId, added),
  }));
const views = createSavedReader(VIEW);
const runSets = createSavedReader(RUN_SET);

const NOTHING: Saved = {
  view: { byId: new Map(), unreadable: [] },
  run_set: { byId: new Map(), unreadable: [] },
};

async function foldSaved(db: AnnotationDb): Promise<Saved> {
  return { view: await views.fold(db), run_set: await runSets.fold(db) };
}

async function readSaved(store: ViewStore): Promise<Saved> {
  const kept = await store.takeIn();
  const { view, run_set } = await store.read(NOTHING, foldSaved);
  return limitSaved(
    { view: addKept(VIEW, view, kept), run_set: addKept(RUN_SET, run_set, kept) },
    store.viewer,
  );
}

function addKept<Body>(
  kind: Kind<Body>,
  { byId, unreadable }: Entries<Body>,
  kept: readonly NewStatement[],
): Entries<Body> {
  const rows = kept
    .filter((one) => one.kind === kind.name && !byId.has(one.parent ?? one.id ?? ""))
    .map(({ parent = null, body, ...row }) => ({ ...row, seq: 0, parent, body: JSON.stringify(body) }));
  const more = readStatements(kind, rows);
  return { byId: add(byId, more.statements), unreadable: [...unreadable, ...more.unreadable] };
}

const NOUNS = { view: "view", run_set: "run set" } as const;

/** Newest first, deleted ones too. Never throws a StoreError; `problem` reports it, or what cannot be read. */
async function listSaved<Kind extends SavedKind>(
  store: ViewStore,
  kind: Kind,
): Promise<{ readonly entries: readonly Entry<Bodies[Kind]>[]; readonly problem: string | null }> {
  try {
    const { byId, unreadable } = (await readSaved(store))[kind];
    const entries = [...byId.values()].toSorted(
      (a, b) => compareText(b.createdAt, a.createdAt) || compareText(a.id, b.id),
    );
    const wrong = unreadable.map(({ columns }) => String(columns["parent"] ?? columns["id"]));
    const problem =
      `The saved ${NOUNS[kind]}s in ${store.place} have rows that are none of this Assay and are left out: ${listNames(wrong)}. ` +
      "Update Assay if a newer version wrote them, otherwise correct or delete them there.";
    return { entries, problem: wrong.length === 0 ? null : problem };
  } catch (error) {
    if (error instanceof StoreError) return { entries: [], problem: error.message };
    throw error;
  }
}

/** @throws StoreError */
async function addSaved<Kind extends SavedKind>(
  store: ViewStore,
  kind: Kind,
  { id, createdAt, createdBy, ...body }: Entry<Bodies[Kind]>,
): Promise<void> {
  await store.takeIn();
  const author = toColumnText(createdBy ?? "");
  await store.write((db) =>
    addStatements(db, [{ kind, id, subject: "", author, actor: null, at: createdAt, body }]),
  );
}

/** Each @throws ValidationError, NotFoundError when it was deleted meanwhile, StoreError */
function createVerbs(kind: SavedKind, idSchema: typeof VIEW_ID | typeof RUN_SET_ID) {
  const change = async (
    store: ViewStore,
    id: string,
    change: { readonly name: string } | { readonly isDeleted: boolean },
  ): Promise<void> => {
    await store.takeIn();
    await store.write(async (db) => {
      const saved = await limitSaved(await foldSaved(db), store.viewer);
      const entry = saved[kind].byId.get(id);
      if (entry === undefined || ("name" in change && entry.isDeleted))
        throw new NotFoundError(`This ${NOUNS[kind]} was deleted meanwhile.`);
      const { id: parent, createdAt: _, createdBy: __, ...before } = entry;
      const said = { kind, subject: "", author: "", actor: null, at: new Date().toISOString() };
      await addStatements(db, [{ ...said, parent, body: { ...before, ...change } }]);
    });
  };
  const parseId = (id: unknown) => parseView(idSchema, { id }).id;
  return {
    rename: async (store: ViewStore, unchecked: unknown) => {
      const { id, name } = parseView(idSchema.extend({ name: NAME }), unchecked);
      await change(store, id, { name });
    },
    remove: async (store: ViewStore, id: unknown) => change(store, parseId(id), { isDeleted: true }),
    restore: async (store: ViewStore, id: unknown) => change(store, parseId(id), { isDeleted: false }),
  };
}

export type SavedView = Omit<Entry<ViewBody>, "isDeleted">;

interface StoredViews {
  readonly views: readonly SavedView[];
  readonly problem: string | null;
}

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

/** The id is eight hex digits, used in URLs. Deleted sets are unlisted and can be restored. */
export type SavedRunSet = Omit<Entry<RunSetBody>, "kind">;

interface StoredRunSets {
  readonly sets: readonly SavedRunSet[];
  /** Sets of runs that are no repeats of each other, in the same order. */
  readonly apart: readonly SavedRunSet[];
  readonly problem: string | null;
}

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
