import { openDatabase } from "@/lib/store/database";

import type { IndexStore } from "./open-store";
import { type IndexTables, TABLES } from "./schema/tables";

export interface SeenRoot {
  readonly position: number;
  readonly except: readonly string[];
}

export interface StoreLimits {
  readonly seen: readonly SeenRoot[] | null;
  readonly isWithoutCopies: boolean;
}

/**
 * Opens the index again with views of some opened folders in place of its tables. Every query reads the views, so none can see
 * more. The word tables stay as they are, since they only hold ids of rows of `trialTexts`. The store is read-only. Rows that span
 * jobs are hidden if they refer to other folders.
 */
export function openLimitedStore({ target }: IndexStore, limits: StoreLimits): Promise<IndexStore> {
  return openDatabase<IndexTables>(target, (base) => writeViews(base, limits));
}

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

/** Conditions that keep, of several copies, the visible one with the lowest rank. */
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
      if (columns["position"]?.isOfTrial !== true) return [name, isOfCounted];
      const isCounted = `own.position is null or ${namePlace('own."jobRowId"', "own.position")} not in ${trials}`;
      return [name, `${isOfCounted} and (${isCounted})`];
    }),
  );
}

/** Combines job and position into one number: SQLite searches a list of pairs row by row. */
function namePlace(job: string, position: string): string {
  return `cast(${job} as bigint) * 4294967296 + ${position}`;
}

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

function describeConditions(base: string, seen: readonly SeenRoot[]): Conditions {
  const positions = seen.map(({ position }) => String(position));
  const isSeenRoot = (column: string) =>
    positions.length === 0 ? "1 = 0" : `${column} in (${positions.join(", ")})`;
  const sourceIds = listSeenSources(base, seen);
  const jobIds = listSeenJobs(base, seen);
  const isOfRoot = `exists (select 1 from ${base}.roots as r where r.position = own.root
    and (own.path = r.label or substr(own.path, 1, length(r.label) + 1) = r.label || '/'))`;
  const special: Readonly<Partial<Record<keyof IndexTables, string>>> = {
    roots: isSeenRoot("own.position"),
    sources: describeRoots("own", seen),
    jobs: `own."sourceId" in ${sourceIds}`,
    issues: `own.origin <> 'shared' and (own."jobRowId" in ${jobIds}
      or (own."jobRowId" is null and ${isSeenRoot("own.root")} and ${isOfRoot}))`,
    trialLinks: `own."jobRowId" in ${jobIds} and own."sourceJobRowId" in ${jobIds}`,
  };
  return Object.fromEntries(
    listTables().map((name) => {
      if (TABLES[name].isForAll === true) return [name, null];
      if (special[name] === undefined && !("jobRowId" in TABLES[name].columns))
        throw new Error(`The table ${name} has no visibility rule.`);
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
