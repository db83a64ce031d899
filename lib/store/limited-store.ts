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

/**
 * Opens the index once more, with views of some opened folders in the place of its tables: every statement of every query
 * means the views, so that none can see more. The words that are searched are left as they are, since they lead to rows of `trialTexts`
 * alone. Nothing can be written. Of what spans jobs, nothing is seen that leads out of these folders.
 *
 * @param store - the index as it is; stays open beside it
 * @throws StoreError when it cannot be opened
 */
export function openLimitedStore({ target }: IndexStore, seen: readonly SeenRoot[]): Promise<IndexStore> {
  return openDatabase<IndexTables>(target, (base) => writeViews(base, seen));
}

/** The views of all tables that need one. @param base - quoted name of where the tables are */
function writeViews(base: string, seen: readonly SeenRoot[]): readonly string[] {
  const conditions = describeConditions(base, seen);
  return Object.entries(conditions).flatMap(([name, condition]) =>
    condition === null
      ? []
      : `create temp view "${name}" as select own.* from ${base}."${name}" as own where ${condition}`,
  );
}

/** What rows of each table are seen; null where all are. */
function describeConditions(
  base: string,
  seen: readonly SeenRoot[],
): Readonly<Record<string, string | null>> {
  const isOfSeen = (table: string) =>
    seen.length === 0 ? "1 = 0" : `(${seen.map((root) => describeRoot(table, root)).join(" or ")})`;
  const positions = seen.map(({ position }) => String(position));
  const isSeenRoot = (column: string) =>
    positions.length === 0 ? "1 = 0" : `${column} in (${positions.join(", ")})`;
  const sourceIds = `(select s.id from ${base}.sources as s where ${isOfSeen("s")})`;
  const jobIds = `(select j.id from ${base}.jobs as j where j."sourceId" in ${sourceIds})`;
  // What is wrong with an opened folder names files by its label.
  const isOfRoot = `exists (select 1 from ${base}.roots as r where r.position = own.root
    and (own.path = r.label or substr(own.path, 1, length(r.label) + 1) = r.label || '/'))`;
  const special: Readonly<Partial<Record<keyof IndexTables, string>>> = {
    roots: isSeenRoot("own.position"),
    sources: isOfSeen("own"),
    sourceTrials: `own."sourceId" in ${sourceIds}`,
    jobs: `own."sourceId" in ${sourceIds}`,
    // One that only the whole catalog tells names the other job.
    issues: `own.origin <> 'shared' and (own."jobRowId" in ${jobIds}
      or (own."jobRowId" is null and ${isSeenRoot("own.root")} and ${isOfRoot}))`,
    trialLinks: `own."jobRowId" in ${jobIds} and own."sourceJobRowId" in ${jobIds}`,
  };
  const names = Object.keys(TABLES) as (keyof IndexTables)[]; // Its very keys.
  return Object.fromEntries(
    names.map((name) => {
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
