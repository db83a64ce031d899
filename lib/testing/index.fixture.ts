import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import type { EngineUnderTest } from "@/lib/store/database/postgres.fixture";
import { type OpenIndex, openIndex, type OpenIndexOptions } from "@/lib/store/indexer/open-index";
import { encodeValue, type IndexStore, openLimitedStore, type StoreLimits } from "@/lib/store/tables";
import { type IndexTables, TABLES } from "@/lib/store/tables/schema/tables";

/** Every table of an index as sorted lines: what the folders say, without row numbers, versions and times of scans. */
type IndexDump = Readonly<Record<string, readonly string[]>>;

/** Links are told apart by row numbers alone, and the others are read when all else is done. */
const LATE_TABLES: ReadonlySet<string> = new Set(["trialLinks", "trialTexts", "scannedTrials", "trialScans"]);

/** Tables whose rows belong to a job. */
const JOB_TABLES = Object.entries(TABLES).flatMap(([name, { columns }]) =>
  "jobRowId" in columns && !LATE_TABLES.has(name) ? [name as JobTable] : [],
);

type JobTable = {
  [Name in keyof IndexTables]: IndexTables[Name] extends { jobRowId: unknown } ? Name : never;
}[keyof IndexTables];

/** Two indexes of the same folders give equal dumps, regardless of history and engine. */
export async function dumpIndex({ db }: IndexStore): Promise<IndexDump> {
  const sources = await db.selectFrom("sources").selectAll().execute();
  const jobs = await db.selectFrom("jobs").selectAll().execute();
  const sourceNames = new Map(sources.map((row) => [row.id, `${row.root} ${row.kind} ${row.folder}`]));
  const jobNames = new Map(
    jobs.map((row) => [row.id, `${sourceNames.get(row.sourceId) ?? "no source"} ${row.part}`]),
  );
  const dump: Record<string, string[]> = {
    roots: toLines(await db.selectFrom("roots").selectAll().execute()),
    sources: toLines(sources.map(({ id: _, ...row }) => row)),
    jobs: toLines(
      jobs.map(
        ({ id, sourceId: _, version: __, trialsVersion: ___, hasTexts: ____, hasScans: _____, ...row }) => ({
          ...row,
          job: jobNames.get(id) ?? "",
        }),
      ),
    ),
  };
  for (const table of JOB_TABLES) {
    const rows = await db.selectFrom(table).selectAll().execute();
    dump[table] = toLines(
      rows.map(({ jobRowId: id, ...row }) => ({
        ...row,
        job: id === null ? "none" : (jobNames.get(id) ?? "a job that is gone"),
      })),
    );
  }
  return dump;
}

function toLines(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  return rows
    .map((row) => encodeValue(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))))
    .sort();
}

/** A new folder for Assay's own data, gone after the test. */
export function makeDataFolder(): string {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "assay-data-")));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

/** An index in this process, closed after the test. Brought up to date by `refresh` alone. */
export async function openHere(
  roots: readonly string[],
  data: string,
  options: Partial<OpenIndexOptions> = {},
): Promise<OpenIndex> {
  const index = await openIndex({ roots, environment: { ASSAY_DATA: data }, ...options });
  onTestFinished(() => index.close());
  return index;
}

/** The index of some folders on either engine, up to date. */
export async function indexFolders(engine: EngineUnderTest, roots: readonly string[]): Promise<OpenIndex> {
  const target = await engine.freshTarget();
  const data = { ASSAY_DATA: makeDataFolder() };
  const environment = target.engine === "postgres" ? { ...data, DATABASE_URL: target.url } : data;
  const index = await openIndex({ roots, environment });
  onTestFinished(() => index.close());
  await index.refresh();
  await index.settle();
  const { failure } = index.status();
  if (failure !== null) throw new Error(failure);
  return index;
}

/** The store that pages ask: jobs and trials that are open several times are in it once. Closed after the test. */
export async function openCounted(
  { store }: OpenIndex,
  seen: StoreLimits["seen"] = null,
): Promise<IndexStore> {
  const counted = await openLimitedStore(store, { seen, isWithoutCopies: true });
  onTestFinished(() => counted.close());
  return counted;
}

/** Content of a fresh index of the same folders. */
export async function dumpFresh(
  roots: readonly string[],
  options: Partial<OpenIndexOptions> = {},
): Promise<IndexDump> {
  const index = await openHere(roots, makeDataFolder(), options);
  await index.refresh();
  await index.settle();
  return dumpIndex(index.store);
}
