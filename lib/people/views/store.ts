import { sql, type SqlBool } from "kysely";

import { computeReviewerKey } from "@/lib/core/domain/annotation";
import {
  type DatabaseTarget,
  type Migrations,
  openOnUse,
  resolveTarget,
  type StoreKind,
  type StoreOnUse,
  limitRows,
  type OpenDatabase,
} from "@/lib/store/database";
import { findShown, getVisibility, type Shown } from "@/lib/store/visibility";

import { findMemberJob } from "./members";
import type { ViewTables } from "./tables";
import { RUN_SET_MEMBERS } from "./view-schema";

const PLACE = { fileName: "views.sqlite", schema: "assay_views", synchronous: "EXTRA" } as const;

/** Migrations by name. Never edit a released one: add a new one. */
function listMigrations(engine: DatabaseTarget["engine"]): Migrations {
  return {
    "001_views": {
      up: async (db) => {
        await sql
          .raw(
            `CREATE TABLE views (
               id TEXT PRIMARY KEY,
               name TEXT NOT NULL CHECK (name <> ''),
               href TEXT NOT NULL,
               created_at TEXT NOT NULL,
               created_by TEXT,
               deleted_at TEXT
             )${engine === "sqlite" ? " STRICT" : ""}`,
          )
          .execute(db);
      },
    },
    "002_run_sets": {
      up: async (db) => {
        await sql
          .raw(
            `CREATE TABLE run_sets (
               id TEXT PRIMARY KEY,
               name TEXT NOT NULL CHECK (name <> ''),
               members TEXT NOT NULL,
               created_at TEXT NOT NULL,
               created_by TEXT,
               deleted_at TEXT
             )${engine === "sqlite" ? " STRICT" : ""}`,
          )
          .execute(db);
      },
    },
    "003_rules_of_run_sets": {
      up: async (db) => {
        await sql.raw("ALTER TABLE run_sets ADD COLUMN kind TEXT NOT NULL DEFAULT 'together'").execute(db);
        await sql.raw("ALTER TABLE run_sets ADD COLUMN rule TEXT").execute(db);
      },
    },
  };
}

export const VIEW_STORE: StoreKind = { name: "views", place: PLACE, listMigrations };

export type ViewStore = StoreOnUse<ViewTables>;

/** See `openOnUse`. @throws StoreError on use, never here */
export function openViewStore(target: DatabaseTarget): ViewStore {
  return openOnUse(target, listMigrations);
}

export function openViewStoreOf(environment: Readonly<Record<string, string | undefined>>): ViewStore {
  return openViewStore(resolveTarget(PLACE, environment));
}

declare global {
  var assayViewStore: ViewStore | undefined;
}

/** Opened once per process; limited to what the current user may see. */
export function getViewStore(): ViewStore {
  const store = (globalThis.assayViewStore ??= openViewStoreOf(process.env));
  const visibility = getVisibility();
  const shown = findShown(visibility);
  return shown === null ? store : limitViewStore(store, shown, visibility.asker);
}

/** Hides rows that name anything hidden, see `limitViews`. */
function limitViewStore(store: ViewStore, shown: Shown, asker: string | null): ViewStore {
  return {
    ...store,
    read: (empty, work) =>
      store.read(empty, async (database) => work(await limitViews(database, shown, asker))),
    write: (work) => store.write(async (database) => work(await limitViews(database, shown, asker))),
  };
}

type ViewDatabase = OpenDatabase<ViewTables>;

/** URL parameters that name a job, alone or before a group or trial of it. */
const JOB_PARTS: ReadonlySet<string> = new Set(["g", "a", "b", "job", "with", "pool"]);
/** URL parameters with free text. */
const TEXT_PARTS = ["q", "find"] as const;
const SET = "set:";

/**
 * Hides saved views and run sets that name anything hidden: a job without a visible folder, or any name that only hidden folders
 * have, in the address or title. Unreadable rows are hidden too. The asker's own views are all visible, so that a hidden one
 * cannot confirm a guessed name. Others' views with a text search are hidden, since the text may be a hidden name.
 *
 * @param asker - account name; null without one
 * @throws StoreError
 */
export async function limitViews(
  database: ViewDatabase,
  shown: Shown,
  asker: string | null,
): Promise<ViewDatabase> {
  const { db } = database;
  const sets = await db.selectFrom("run_sets").select(["id", "name", "members", "rule"]).execute();
  const views = await db.selectFrom("views").select(["id", "name", "href", "created_by"]).execute();
  const texts = new Map(
    [...sets, ...views].map((row) => [
      row,
      "href" in row
        ? [...listTexts(row.name), ...listAddressTexts(row.href)]
        : listTexts(`${row.name} ${row.rule ?? ""}`),
    ]),
  );
  const hiddenNames = await shown.findHiddenNames([...texts.values()].flat());
  const namesHidden = (row: (typeof sets | typeof views)[number]) =>
    texts.get(row)?.some((text) => hiddenNames.has(text)) !== false;

  const members = sets.map((row) => ({ row, members: readMembers(row.members) }));
  const all = members.flatMap((set) => set.members ?? []);
  const refs = views.map((row) => ({ row, refs: listRefs(row.href) }));
  const jobs = await shown.findJobs(
    all.flatMap(({ job }) => job ?? []),
    [
      ...all.map(({ jobKey }) => jobKey),
      ...refs.flatMap((view) => view.refs.flatMap(({ jobs: keys }) => keys)),
    ],
  );
  const keys = new Set(jobs.map(({ key }) => key));
  const setIds = members.flatMap(({ row, members: own }) =>
    own !== null && !namesHidden(row) && own.every((member) => findMemberJob(member, jobs) !== null)
      ? row.id
      : [],
  );
  const isShownRef = ({ set, jobs: some }: Ref) =>
    set === null ? some.some((key) => keys.has(key)) : setIds.includes(set);
  const isOwn = ({ created_by: maker }: (typeof views)[number]) =>
    asker !== null && maker !== null && computeReviewerKey(maker) === computeReviewerKey(asker);
  const viewIds = refs.flatMap(({ row, refs: own }) =>
    isOwn(row) || (!namesHidden(row) && !hasFreeText(row.href) && own.every(isShownRef)) ? row.id : [],
  );
  const limits = { views: isOneOf(database, viewIds), run_sets: isOneOf(database, setIds) };
  return { ...database, db: limitRows(db, () => limits) };
}

function isOneOf({ engine }: ViewDatabase, ids: readonly string[]) {
  return engine === "sqlite"
    ? sql<SqlBool>`(id in (select value from json_each(${JSON.stringify(ids)})))`
    : sql<SqlBool>`(id = any(${sql.val(ids)}))`;
}

function readMembers(text: string) {
  try {
    return RUN_SET_MEMBERS.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

interface Ref {
  readonly set: string | null;
  /** One of these texts is the key of the job. */
  readonly jobs: readonly string[];
}

function listRefs(href: string): readonly Ref[] {
  const { pathname, searchParams } = new URL(href, "http://here.invalid");
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
  const { searchParams } = new URL(href, "http://here.invalid");
  return TEXT_PARTS.some((part) => (searchParams.get(part) ?? "") !== "");
}

/** Lists everything in an address that may be a name. */
function listAddressTexts(href: string): readonly string[] {
  const { pathname, searchParams } = new URL(href, "http://here.invalid");
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
