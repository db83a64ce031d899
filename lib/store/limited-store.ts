import { openDatabase } from "@/lib/database";

import type { IndexStore } from "./open-store";
import { type IndexTables, TABLES } from "./schema/tables";

/** An opened folder of which something is seen. */
export interface SeenRoot {
  /** Its place among the opened folders. */
  readonly position: number;
  /** Folders below it that are hidden as opened folders of their own, relative to it. */
  readonly except: readonly string[];
}

/** Tables that hold nothing of any opened folder: of the index as a whole, and of the user's own scanners. */
const SHARED: ReadonlySet<keyof IndexTables> = new Set(["meta", "leases", "scanners", "refusedScanners"]);

export interface StoreLimits {
  /** The only folders that are seen; null for all. */
  readonly seen: readonly SeenRoot[] | null;
  /** True if jobs and trials that are open several times are in it once. */
  readonly isWithoutCopies: boolean;
}

/** Tables with a column `position` that is not the place of a trial. */
const OTHER_PLACES: ReadonlySet<string> = new Set(
  "groups tasks figures issues reports families dimensions tags".split(" "),
);

/**
 * Opens the index once more, with views of some opened folders in the place of its tables: every statement of every query
 * means the views, so that none can see more. The words that are searched are left as they are, since they lead to rows of `trialTexts`
 * alone. Nothing can be written. Of what spans jobs, nothing is seen that leads out of these folders.
 *
 * @param store - the index as it is; stays open beside it
 * @throws StoreError when it cannot be opened
 */
export function openLimitedStore({ target }: IndexStore, limits: StoreLimits): Promise<IndexStore> {
  return openDatabase<IndexTables>(target, (base) => writeViews(base, limits));
}

/** The views of all tables that need one. @param base - quoted name of where the tables are */
function writeViews(base: string, { seen, isWithoutCopies }: StoreLimits): readonly string[] {
  const conditions = [
    ...(seen === null ? [] : [describeConditions(base, seen)]),
    ...(isWithoutCopies ? [describeCounted(base, seen)] : []),
  ];
  return listTables().flatMap((name) => {
    const own = conditions.flatMap((of) => of[name] ?? []);
    return own.length === 0
      ? []
      : `create temp view "${name}" as select own.* from ${base}."${name}" as own where ${own.map((one) => `(${one})`).join(" and ")}`;
  });
}

type Conditions = Readonly<Partial<Record<keyof IndexTables, string | null>>>;

/** The rows of each table that count: of copies those that rank first among what is seen. */
function describeCounted(base: string, seen: readonly SeenRoot[] | null): Conditions {
  const isSeen = seen === null ? "1 = 1" : `"jobRowId" in ${listSeenJobs(base, seen)}`;
  const jobs = listOthers(base, '"jobRowId"', `position < 0 and ${isSeen}`);
  const isRival = `position >= 0 and ${isSeen} and "jobRowId" not in ${jobs}`;
  const trials = listOthers(base, namePlace('"jobRowId"', "position"), isRival);
  return Object.fromEntries(
    listTables().map((name) => {
      const { columns } = TABLES[name];
      if (name === "copies" || (name !== "jobs" && !("jobRowId" in columns))) return [name, null];
      const isOfCounted = `own.${name === "jobs" ? "id" : '"jobRowId"'} not in ${jobs}`;
      if (name === "issues") return [name, `own."jobRowId" is null or ${isOfCounted}`];
      if (!("position" in columns) || OTHER_PLACES.has(name)) return [name, isOfCounted];
      const isCounted = `own.position is null or ${namePlace('own."jobRowId"', "own.position")} not in ${trials}`;
      return [name, `${isOfCounted} and (${isCounted})`];
    }),
  );
}

/** One number for a job and a position: SQLite looks pairs up in lists row by row. */
function namePlace(job: string, position: string): string {
  return `cast(${job} as bigint) * 4294967296 + ${position}`;
}

/** Columns of those rows of `copies` that do not come first in their family. */
function listOthers(base: string, columns: string, which: string): string {
  const first = `select family, min(rank) as first from ${base}.copies where ${which} group by family`;
  return `(select ${columns} from ${base}.copies join (${first}) as f using (family) where ${which} and rank > f.first)`;
}

function listTables(): readonly (keyof IndexTables)[] {
  return Object.keys(TABLES) as (keyof IndexTables)[]; // Its very keys.
}

function listSeenJobs(base: string, seen: readonly SeenRoot[]): string {
  return `(select j.id from ${base}.jobs as j where j."sourceId" in ${listSeenSources(base, seen)})`;
}

function listSeenSources(base: string, seen: readonly SeenRoot[]): string {
  return `(select s.id from ${base}.sources as s where ${describeRoots("s", seen)})`;
}

function describeRoots(table: string, seen: readonly SeenRoot[]): string {
  return seen.length === 0 ? "1 = 0" : `(${seen.map((root) => describeRoot(table, root)).join(" or ")})`;
}

/** What rows of each table are seen; null where all are. */
function describeConditions(base: string, seen: readonly SeenRoot[]): Conditions {
  const positions = seen.map(({ position }) => String(position));
  const isSeenRoot = (column: string) =>
    positions.length === 0 ? "1 = 0" : `${column} in (${positions.join(", ")})`;
  const sourceIds = listSeenSources(base, seen);
  const jobIds = listSeenJobs(base, seen);
  // What is wrong with an opened folder names files by its label.
  const isOfRoot = `exists (select 1 from ${base}.roots as r where r.position = own.root
    and (own.path = r.label or substr(own.path, 1, length(r.label) + 1) = r.label || '/'))`;
  const special: Readonly<Partial<Record<keyof IndexTables, string>>> = {
    roots: isSeenRoot("own.position"),
    sources: describeRoots("own", seen),
    sourceTrials: `own."sourceId" in ${sourceIds}`,
    jobs: `own."sourceId" in ${sourceIds}`,
    // One that only the whole catalog tells names the other job.
    issues: `own.origin <> 'shared' and (own."jobRowId" in ${jobIds}
      or (own."jobRowId" is null and ${isSeenRoot("own.root")} and ${isOfRoot}))`,
    trialLinks: `own."jobRowId" in ${jobIds} and own."sourceJobRowId" in ${jobIds}`,
  };
  return Object.fromEntries(
    listTables().map((name) => {
      if (SHARED.has(name)) return [name, null];
      if (special[name] === undefined && !("jobRowId" in TABLES[name].columns))
        throw new Error(`What of the table ${name} is seen by whom is not said.`);
      return [name, special[name] ?? `own."jobRowId" in ${jobIds}`];
    }),
  );
}

function describeRoot(table: string, { position, except }: SeenRoot): string {
  const isRoot = `${table}.root = ${String(position)}`;
  const name = `${table}.folder`;
  const isBelow = except.map((folder) => {
    const below = quote(`${folder}/`);
    return `not (${name} = ${quote(folder)} or substr(${name}, 1, length(${below})) = ${below})`;
  });
  return `(${[isRoot, ...isBelow].join(" and ")})`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
