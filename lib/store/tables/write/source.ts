import { randomInt } from "node:crypto";

import { type Insertable, type Kysely, type RawBuilder, type SqlBool, type Transaction, sql } from "kysely";

import { type ColumnValue, toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { CLASS_TABLES } from "../schema/derived-details-tables";
import { type IndexTables, TABLES } from "../schema/tables";

const OTHER_TABLES = ["groupSettings", "issues", "facets", "jobTexts", "jobPlans"] as const;

type JobTableName = (typeof PLACED_TABLES | typeof OTHER_TABLES)[number];

/** Rows from trial files; after a new reading of the job they may not match its trials. */
export const FOUND_TABLES = [
  "trialDimensions",
  "trialTags",
  "trialTests",
  "trialChecks",
  "suspicions",
  "reports",
] as const;
/** Kept while a trial's result does not change. */
export const FAILURE_TABLES = [...CLASS_TABLES, "failureEvidence"] as const;

/** Columns that readings do not fill. */
type KeptColumn = "id" | "sourceId" | "part" | "version" | "trialsVersion" | "key" | "keySearch" | "aliases";

/** Everything the index keeps of one job. Rows of a large job are created lazily. */
export type JobContent = {
  readonly [Table in JobTableName]: Iterable<JobRow<Table>>;
} & {
  readonly job: Omit<JobRow<"jobs">, KeptColumn | keyof typeof UNREAD>;
};

export interface SourceContent {
  readonly sourceId: number;
  readonly fingerprint: string;
  readonly jobs: readonly JobContent[];
}

/**
 * Replaces all data of one source in one transaction: other processes see it before or after, and a killed program changes
 * nothing. Unchanged rows are not written. Jobs keep their row ids and keys and get new versions; new ones use their name as key
 * until the next `publish`.
 *
 * @returns false when the source is no longer in the index, so that nothing was written
 */
export async function writeSource(store: IndexStore, content: SourceContent): Promise<boolean> {
  const { sourceId } = content;
  return store.db.transaction().execute(async (transaction) => {
    // A write first: SQLite takes the write lock now, or waits for it, instead of failing half way.
    const updated = await transaction
      .updateTable("sources")
      .set({ fingerprint: content.fingerprint })
      .where("id", "=", sourceId)
      .returning("state")
      .executeTakeFirst();
    if (updated === undefined) return false;
    await transaction.updateTable("sources").set({ state: "read" }).where("id", "=", sourceId).execute();
    // The first time there is nothing to compare with.
    const write = updated.state === "listed" ? insertJobRows : replaceJobRows;
    await deleteJobs(store, transaction, sourceId, content.jobs.length);
    for (const [part, job] of content.jobs.entries()) {
      const id = await writeJob(transaction, sourceId, part, job.job);
      for (const table of PLACED_TABLES) await write(store, transaction, table, id, job[table]);
      await deleteJobRows(transaction, [...OTHER_TABLES, ...FOUND_TABLES, "taskLabels"], id);
      for (const table of OTHER_TABLES) await insertJobRows(store, transaction, table, id, job[table]);
      await removeStaleFailures(transaction, id);
      await placeLateRows(transaction, id);
    }
    return true;
  });
}

async function removeStaleFailures(db: Transaction<IndexTables>, jobRowId: number): Promise<void> {
  const isSame = sql`t."jobRowId" = f."jobRowId" and t.position = f.position and t.key = f.key and t."resultDigest" = f."resultDigest"
    and t."groupKey" = f."groupKey" and t."taskName" = f."taskName"`;
  const trials = sql`select 1 from trials as t where ${isSame}`;
  for (const table of CLASS_TABLES)
    await sql`delete from ${sql.table(table)} as f where f."jobRowId" = ${jobRowId} and not exists (${trials})`.execute(
      db,
    );
  await removeLooseEvidence(db, jobRowId);
}

export async function removeLooseEvidence(db: Transaction<IndexTables>, jobRowId: number): Promise<void> {
  const failures = sql`select 1 from "trialFailures" as f where f."jobRowId" = e."jobRowId" and f.position = e.position`;
  await sql`delete from "failureEvidence" as e where e."jobRowId" = ${jobRowId} and not exists (${failures})`.execute(
    db,
  );
}

export const UNREAD = { hasDerivedDetails: 0, hasTexts: 0, hasScans: 0, failureRules: "" } as const;

export async function writeJob(
  db: Kysely<IndexTables>,
  sourceId: number,
  part: number,
  job: JobContent["job"],
) {
  const version = createVersion();
  const { id } = await db
    .insertInto("jobs")
    .values({
      ...job,
      sourceId,
      part,
      version,
      trialsVersion: version,
      key: job.name,
      keySearch: job.name.toLowerCase(),
      aliases: "",
      ...UNREAD,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["sourceId", "part"])
        .doUpdateSet({ ...job, version, trialsVersion: version, ...UNREAD }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function deleteSources(store: IndexStore, ids: readonly number[]): Promise<void> {
  for (const sourceId of ids) {
    await store.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("sources").where("id", "=", sourceId).execute();
      await deleteJobs(store, transaction, sourceId, 0);
    });
  }
}

async function deleteJobs(store: IndexStore, db: Transaction<IndexTables>, sourceId: number, part: number) {
  const jobs = await db
    .deleteFrom("jobs")
    .where("sourceId", "=", sourceId)
    .where("part", ">=", part)
    .returning("id")
    .execute();
  for (const { id } of jobs) {
    await deleteTexts(store, db, ofJob(id));
    for (const [name, { columns }] of Object.entries(TABLES))
      if ("jobRowId" in columns) await sql`delete from ${sql.table(name)} where ${ofJob(id)}`.execute(db);
  }
}

export async function deleteTexts(
  { engine }: IndexStore,
  db: Transaction<IndexTables>,
  which: RawBuilder<SqlBool>,
): Promise<void> {
  const column = engine === "sqlite" ? sql.ref("rowid") : sql.ref("textId");
  const ids = sql`select id from ${sql.table("trialTexts")} where ${which}`;
  await sql`delete from ${sql.table("trialSearch")} where ${column} in (${ids})`.execute(db);
  await db.deleteFrom("trialTexts").where(which).execute();
}

export function ofJob(jobRowId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref("jobRowId")} = ${jobRowId}`;
}

export async function deleteJobRows(
  db: Transaction<IndexTables>,
  tables: readonly (keyof IndexTables)[],
  jobRowId: number,
): Promise<void> {
  for (const name of tables) await sql`delete from ${sql.table(name)} where ${ofJob(jobRowId)}`.execute(db);
}

/** Updates positions of kept rows to those of the job's current trials; null for a trial that is gone. */
async function placeLateRows(db: Transaction<IndexTables>, jobRowId: number): Promise<void> {
  for (const name of ["trialTexts", "scannedTrials", "trialScans"]) {
    const [table, job] = [sql.table(name), sql.ref(`${name}.jobRowId`)];
    const now = sql`(select t.position from ${sql.table("trials")} as t
      where ${sql.ref("t.jobRowId")} = ${job} and t.key = ${sql.ref(`${name}.key`)})`;
    await sql`update ${table} set position = ${now}
      where ${job} = ${jobRowId} and ${sql.ref(`${name}.position`)} is distinct from ${now}`.execute(db);
  }
}

export type JobRow<Table extends keyof IndexTables> = Omit<Insertable<IndexTables[Table]>, "jobRowId">;

/** Must run inside the transaction `db`. Also inserts rows of no job. */
export async function insertJobRows<Table extends keyof IndexTables>(
  { insertRows }: IndexStore,
  db: Kysely<IndexTables>,
  table: Table,
  jobRowId: number | null,
  rows: Iterable<JobRow<Table>>,
): Promise<void> {
  const columns = Object.keys(TABLES[table].columns);
  await insertRows(db, table, columns, listValues(columns, jobRowId, rows));
}

function* listValues(
  columns: readonly string[],
  jobRowId: number | null,
  rows: Iterable<Readonly<Record<string, unknown>>>,
): Generator<ColumnValue[]> {
  for (const row of rows) {
    yield columns.map((column) => (column === "jobRowId" ? jobRowId : toColumnValue(row[column])));
  }
}

/** Maps NaN to null, since it has no order, and -0 to 0: the engines store both differently. */
function toColumnValue(value: unknown): ColumnValue {
  if (typeof value === "number") return Number.isNaN(value) ? null : value + 0;
  return typeof value === "string" ? toColumnText(value) : null;
}

const VERSIONS = 2 ** 47;

/** Returns a version that the job never had, nor an earlier job with the same row id. Caches are keyed by it. */
export function createVersion(): number {
  return randomInt(VERSIONS);
}

const PLACED_TABLES = [
  "groups",
  "trials",
  "trialRecords",
  "trialRewards",
  "trialSources",
  "recordedJudgments",
  "tasks",
  "figures",
] as const;

type PlacedTable = (typeof PLACED_TABLES)[number];

const ROUND = 1000;

type Row = Readonly<Record<string, unknown>> & { readonly position: number };

/**
 * Replaces the rows of one job inside the transaction `db`, and writes only rows that differ. Comparing a row takes a fifth of the
 * time of writing it and its indexes.
 *
 * @param rows - in order of position; consumed lazily, so that they are never all in memory
 */
async function replaceJobRows<Table extends PlacedTable>(
  store: IndexStore,
  db: Kysely<IndexTables>,
  table: Table,
  jobRowId: number,
  rows: Iterable<JobRow<Table> & Row>,
): Promise<void> {
  const columns = Object.keys(TABLES[table].columns).filter((name) => name !== "jobRowId");
  const remove = () => db.deleteFrom<PlacedTable>(table).where("jobRowId", "=", jobRowId);
  const waiting = rows[Symbol.iterator]();
  let next = waiting.next();
  let start = 0;
  for (; next.done !== true; start += ROUND) {
    const some: (JobRow<Table> & Row)[] = [];
    for (; next.done !== true && next.value.position < start + ROUND; next = waiting.next())
      some.push(next.value);
    const added = Map.groupBy(some, ({ position }) => position);
    const known = await db
      .selectFrom<PlacedTable>(table)
      .selectAll()
      .where("jobRowId", "=", jobRowId)
      .where("position", ">=", start)
      .where("position", "<", start + ROUND)
      .execute();
    const gone: number[] = [];
    for (const [position, stored] of Map.groupBy(known, (row) => row.position)) {
      if (areSame(columns, stored, added.get(position))) added.delete(position);
      else gone.push(position);
    }
    if (gone.length > 0) await remove().where("position", "in", gone).execute();
    await insertJobRows(store, db, table, jobRowId, [...added.values()].flat());
  }
  await remove().where("position", ">=", start).execute();
}

function areSame(
  columns: readonly string[],
  stored: readonly Readonly<Record<string, unknown>>[],
  rows: readonly Readonly<Record<string, unknown>>[] | undefined,
): boolean {
  return (
    rows?.length === stored.length &&
    rows.every((row, index) =>
      columns.every((column) => toColumnValue(row[column]) === stored[index]?.[column]),
    )
  );
}
