import { z } from "zod";

import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ValidationError, NotFoundError, StoreError } from "@/lib/core/domain/app-error";
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
import type { UnreadableRow } from "../annotations/stored-columns";
import type { AnnotationDb } from "../annotations/tables";
import { getViewStore, type ViewStore } from "./store";

const LONGEST_NAME = 80;
const LONGEST_HREF = 4000;
/** First path segments of pages; other addresses are not views. */
const PAGES = [
  "",
  "jobs",
  "trials",
  "datasets",
  "tasks",
  "compare",
  "beside",
  "diff",
  "errors",
  "annotations",
  "load-report",
] as const;
/** Base to resolve an address against, to see if it leaves this site. */
const HERE = "http://here.invalid";

/** Returns path and query of a page of this program; null for anything else, such as another site, a file or a script. */
export function parseViewHref(text: string): string | null {
  if (text.length > LONGEST_HREF || !text.startsWith("/") || !URL.canParse(text, HERE)) return null;
  const { origin, pathname, search } = new URL(text, HERE);
  if (origin !== HERE || pathname.startsWith("//")) return null;
  if (!PAGES.some((page) => page === pathname.split("/")[1])) return null;
  return pathname + search;
}

const NAME = z
  .string()
  .transform((text) =>
    text
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, " ")
      .trim(),
  )
  .refine((text) => text !== "", "Give it a name.")
  .refine((text) => text.length <= LONGEST_NAME, `A name has at most ${LONGEST_NAME} characters.`);

const createdBy = z
  .string()
  .max(200)
  .transform((text) => text.trim())
  .nullable()
  .transform((text) => (text === "" ? null : text));

const NEW_VIEW = z.object({
  name: NAME,
  href: z.string().transform((text, context) => {
    const href = parseViewHref(text);
    if (href !== null) return href;
    context.addIssue("Only pages of Assay can be saved.");
    return z.NEVER;
  }),
  createdBy,
});

const stored = { name: z.string().min(1).max(LONGEST_NAME), isDeleted: z.boolean() };

const VIEW_BODY = z.object({
  ...stored,
  href: z.string().refine((href) => parseViewHref(href) === href, "no page of Assay"),
});
type ViewBody = Readonly<z.output<typeof VIEW_BODY>>;

const VIEW_ID = z.object({ id: z.uuid() });

function parseView<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = Object.fromEntries(
    parsed.error.issues.map(({ path, message }) => [String(path[0] ?? ""), message]),
  );
  throw new ValidationError(parsed.error.issues[0]?.message ?? "It was not saved.", fields);
}

/** As many as an address may have. */
const MOST_MEMBERS = 50;
const LONGEST_KEY = 2000;

const RUN_SET_MEMBERS = z
  .array(
    z.object({
      /** The job's own id, which survives renaming and moving its folder; null if its files state none. */
      job: z.string().max(LONGEST_KEY).nullable(),
      /** The job's key and name when saved. */
      jobKey: z.string().max(LONGEST_KEY),
      jobName: z.string().max(LONGEST_KEY),
      group: z.string().max(LONGEST_KEY),
    }),
  )
  .min(1)
  .max(MOST_MEMBERS);

export type RunSetMember = z.output<typeof RUN_SET_MEMBERS>[number];

/**
 * Finds the job of a saved run by id, preferring the copy with the same key or name, or by key if no id was saved. A job with
 * another id under the same key is another run.
 */
export function findMemberJob<
  Job extends { readonly uuid: string | null; readonly key: string; readonly name: string },
>({ job, jobKey, jobName }: RunSetMember, jobs: readonly Job[]): Job | null {
  const same = jobs.filter(({ uuid, key }) => (job === null ? key === jobKey : uuid === job));
  return (
    same.find(({ key }) => key === jobKey) ?? same.find(({ name }) => name === jobName) ?? same[0] ?? null
  );
}

const RUN_SET_KINDS = ["together", "apart"] as const;

export const LONGEST_RULE = 200;

const RUN_SET_BODY = z.object({
  ...stored,
  members: RUN_SET_MEMBERS,
  kind: z.enum(RUN_SET_KINDS),
  /** Rule on job names, see `findRunSets`, that adds new jobs; null if the set is fixed. */
  rule: z.string().nullable(),
});
type RunSetBody = Readonly<z.output<typeof RUN_SET_BODY>>;

const NEW_RUN_SET = z.object({
  name: NAME,
  members: RUN_SET_MEMBERS,
  createdBy,
  kind: z.enum(RUN_SET_KINDS).default("together"),
  rule: z.string().min(1).max(LONGEST_RULE).nullable().default(null),
});

const RUN_SET_ID = z.object({ id: z.string().regex(/^[0-9a-f]{8}$/u) });

type Entry<Body> = Body & {
  readonly id: string;
  readonly createdAt: string;
  /** Reviewer name of the browser; null if it had none. */
  readonly createdBy: string | null;
};

interface Entries<Body> {
  readonly byId: ReadonlyMap<string, Entry<Body>>;
  readonly unreadable: readonly UnreadableRow[];
}

interface Bodies {
  readonly view: ViewBody;
  readonly run_set: RunSetBody;
}
type SavedKind = keyof Bodies;
type Saved = { readonly [Kind in SavedKind]: Entries<Bodies[Kind]> };

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

export async function listViews(store: ViewStore = getViewStore()) {
  const { entries, problem } = await listSaved(store, "view");
  return { views: entries.flatMap(({ isDeleted, ...view }) => (isDeleted ? [] : view)), problem };
}

/** Names need not be unique. */
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

/** `apart` are sets of runs that are no repeats of each other. */
export async function readRunSets(store: ViewStore = getViewStore()) {
  const { entries, problem } = await listSaved(store, "run_set");
  const listKind = (wanted: RunSetBody["kind"]) =>
    entries.flatMap(({ kind, ...set }) => (kind === wanted ? set : []));
  return { sets: listKind("together"), apart: listKind("apart"), problem };
}

/** Saves runs as counted together, under a name that need not be unique, or as no repeats. */
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

/** URL parameters that name a job, alone or before a group or trial of it. */
const JOB_PARTS: ReadonlySet<string> = new Set(["g", "a", "b", "job", "with", "pool"]);
const TEXT_PARTS = ["q", "find"] as const;
const SET = "set:";

/**
 * Leaves out views and run sets that name anything hidden: a job without a visible folder, or any name that only hidden folders
 * have, in the address or title. Unreadable rows are left out too. The asker's own views are all visible, so that a hidden one
 * cannot confirm a guessed name. Others' views with a text search are left out, since the text may be a hidden name.
 */
async function limitSaved(saved: Saved, viewer: ViewStore["viewer"]): Promise<Saved> {
  if (viewer === null) return saved;
  const { shown, asker } = viewer;
  const sets = [...saved.run_set.byId.values()];
  const views = [...saved.view.byId.values()];
  const texts = new Map([
    ...sets.map(({ id, name, rule }) => [id, listTexts(`${name} ${rule ?? ""}`)] as const),
    ...views.map(({ id, name, href }) => [id, [...listTexts(name), ...listAddressTexts(href)]] as const),
  ]);
  const hiddenNames = await shown.findHiddenNames([...texts.values()].flat());
  const namesHidden = ({ id }: { readonly id: string }) =>
    texts.get(id)?.some((text) => hiddenNames.has(text)) !== false;

  const members = sets.flatMap((set) => set.members);
  const refs = new Map(views.map(({ id, href }) => [id, listRefs(href)]));
  const jobs = await shown.findJobs(
    members.flatMap(({ job }) => job ?? []),
    [...members.map(({ jobKey }) => jobKey), ...[...refs.values()].flat().flatMap((ref) => ref.jobs)],
  );
  const keys = new Set(jobs.map(({ key }) => key));
  const shownSets = new Map(
    sets
      .filter((set) => !namesHidden(set) && set.members.every((one) => findMemberJob(one, jobs) !== null))
      .map((set) => [set.id, set]),
  );
  const isShownRef = ({ set, jobs: some }: Ref) =>
    set === null ? some.some((key) => keys.has(key)) : shownSets.has(set);
  const isOwn = ({ createdBy }: (typeof views)[number]) =>
    asker !== null && createdBy !== null && computeReviewerKey(createdBy) === computeReviewerKey(asker);
  const shownViews = views.filter(
    (view) =>
      isOwn(view) ||
      (!namesHidden(view) && !hasFreeText(view.href) && refs.get(view.id)?.every(isShownRef) === true),
  );
  return {
    view: { byId: new Map(shownViews.map((view) => [view.id, view])), unreadable: [] },
    run_set: { byId: shownSets, unreadable: [] },
  };
}

/** Names a set, or a job whose key is one of the texts. */
interface Ref {
  readonly set: string | null;
  readonly jobs: readonly string[];
}

function listRefs(href: string): readonly Ref[] {
  const { pathname, searchParams } = new URL(href, HERE);
  const [page, job] = pathname.slice(1).split("/").map(decode);
  const ofPath = page === "jobs" && job !== undefined ? [{ set: null, jobs: [job] }] : [];
  const ofQuery = [...searchParams].flatMap(([name, value]): readonly Ref[] => {
    if (name === "set") return [{ set: value, jobs: [] }];
    // On the list of jobs it is a pattern for names.
    const isRule = page === "" && name === "pool";
    if (!JOB_PARTS.has(name) || isRule || value === "") return [];
    const ref = value.replace(/^[+ ]/, "");
    if (ref.startsWith(SET)) return [{ set: ref.slice(SET.length), jobs: [] }];
    const ends = [...ref.matchAll(/[:/]/g)].map(({ index }) => index);
    return [{ set: null, jobs: [...ends, ref.length].map((end) => ref.slice(0, end)) }];
  });
  return [...ofPath, ...ofQuery];
}

function hasFreeText(href: string): boolean {
  const { searchParams } = new URL(href, HERE);
  return TEXT_PARTS.some((part) => (searchParams.get(part) ?? "") !== "");
}

function listAddressTexts(href: string): readonly string[] {
  const { pathname, searchParams } = new URL(href, HERE);
  const values = [...pathname.split("/"), ...searchParams.values()];
  return values.flatMap((value) => {
    // An address may contain another one.
    const once = decode(value);
    const parts = once.split(/[/?&=:,]/).flatMap((part) => [part, decode(part)]);
    return [value, once, ...parts, ...listTexts(once)];
  });
}

function listTexts(text: string): readonly string[] {
  return [text, ...text.split(/\s+/)].filter((part) => part !== "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
