import type { RawBuilder, SqlBool } from "kysely";

import type { ScanPlace } from "@/lib/core/domain/scanner";
import type { SuggesterKind } from "@/lib/core/domain/suggestion";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";
import {
  atSamePlace,
  atScannedPlace,
  isAmong,
  isAt,
  isOfJobs,
  ofScannedJob,
  type RowPlace,
  inOrder,
} from "./query";
import { namePlace } from "./trials";

export interface MachineTag extends RowPlace {
  readonly kind: Exclude<SuggesterKind, "rule">;
  /** Id of the scanner or name of another tool, else the category. */
  readonly id: string;
  /** Version of the scanner, category of another tool, else empty. */
  readonly version: string;
  readonly key: string;
  readonly groupKey: string;
  readonly isFinished: boolean;
}

/**
 * Reads machine tags of all trials, or of the one at a place. Excludes tags of people in files and imported tags. Judge tags are
 * failed checks of analyses in the trial's folder or in other jobs. Linear in the tags.
 */
export async function readMachineTags(store: IndexStore, place: RowPlace | null = null) {
  const isThere = place === null ? isOfJobs(store, "trials.jobRowId", null) : isAt(store, "trials", [place]);
  const scans = store.db
    .selectFrom("trialScans")
    .innerJoin("trials", atSamePlace("trials", "trialScans"))
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.groupKey", "trials.state"])
    .select(["trialScans.scanner as id", "trialScans.version"])
    .where("trialScans.nPlaces", ">", 0)
    .where(isThere);
  const tags = store.db
    .selectFrom("trialTags")
    .innerJoin("trials", atSamePlace("trials", "trialTags"))
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.groupKey", "trials.state"])
    .select(["trialTags.category as id", "trialTags.source"])
    .distinct()
    .where("trialTags.source", "!=", "human")
    .where(isThere);
  const [found, given] = await Promise.all([scans.execute(), tags.execute()]);
  const inFiles = [
    ...found.map(({ version, ...row }) => toTag(row, "scanner", String(version))),
    ...given.map(({ source, ...row }) => toTag(row, source === "judge" ? "judge" : "verifier")),
  ];
  const known = new Set(inFiles.map(nameTag));
  const reported = (await readReportedTags(store, isThere)).filter((tag) => {
    const isNew = !known.has(nameTag(tag));
    known.add(nameTag(tag));
    return isNew;
  });
  return [...inFiles, ...reported];
}

function toTag(
  { state, ...row }: Omit<MachineTag, "kind" | "version" | "isFinished"> & Pick<Stored<"trials">, "state">,
  kind: MachineTag["kind"],
  version = "",
): MachineTag {
  return { ...row, kind, version, isFinished: state === "finished" };
}

function nameTag({ kind, id, ...place }: MachineTag): string {
  return `${namePlace(place)} ${kind} ${id}`;
}

/** Limits the report texts in memory. */
const REPORTS_AT_ONCE = 500;

export async function readReportedTagKeys(
  store: IndexStore,
  jobRowId: number,
  categories: readonly string[],
): Promise<ReadonlySet<string>> {
  const tags = await readReportedTags(store, isOfJobs(store, "trials.jobRowId", jobRowId));
  return new Set(tags.flatMap(({ id, key }) => (categories.includes(id) ? key : [])));
}

async function readReportedTags({ db }: IndexStore, isThere: RawBuilder<SqlBool>) {
  const tags: MachineTag[] = [];
  const analyses = db
    .selectFrom("reports")
    .innerJoin("jobs as analysis", "analysis.id", "reports.jobRowId")
    .innerJoin("trials", "trials.trialName", "reports.subject")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.groupKey", "trials.state"])
    .select("reports.content")
    .where((where) => where.and({ "analysis.purpose": "analysis", "jobs.purpose": "benchmark" }))
    .where(isThere)
    .orderBy(inOrder("trials.jobRowId", "trials.position", "reports.jobRowId"))
    .orderBy("reports.position");
  for (let first = 0; ; first += REPORTS_AT_ONCE) {
    const rows = await analyses.limit(REPORTS_AT_ONCE).offset(first).execute();
    for (const { content, ...row } of rows)
      for (const { name, outcome } of decodeValue(content).analysis.checks)
        if (outcome === "fail") tags.push(toTag({ ...row, id: name.trim() }, "judge"));
    if (rows.length < REPORTS_AT_ONCE) return tags;
  }
}

export type TagTotal = Awaited<ReturnType<typeof readTagTotals>>[number];

/** Counts the trials of all jobs. Linear in the trials, and computed in the database. */
export async function readTagTotals({ db }: IndexStore) {
  const rows = await db
    .selectFrom("trials")
    .leftJoin("trialFailures", atSamePlace("trials", "trialFailures"))
    .leftJoin("jobs", ofScannedJob("trials.jobRowId"))
    .leftJoin("scannedTrials", atScannedPlace)
    .select(["trials.jobRowId", "trials.groupKey", "trials.agent", "trials.model", "trials.state"])
    // The class is null if the trial passed, still runs or is not classified; the extent until all scanners have run.
    .select(["trialFailures.failureClass", "scannedTrials.extent"])
    .select(({ fn }) => fn.countAll<number>().as("nTrials"))
    .groupBy(["trials.jobRowId", "trials.groupKey", "trials.agent", "trials.model", "trials.state"])
    .groupBy(["trialFailures.failureClass", "scannedTrials.extent"])
    .execute();
  return rows.map(({ state, ...row }) => ({ ...row, isFinished: state === "finished" }));
}

export async function readScanExtents(store: IndexStore, places: readonly RowPlace[]) {
  const rows = await store.db
    .selectFrom("scannedTrials")
    .innerJoin("jobs", ofScannedJob("scannedTrials.jobRowId"))
    .select(["scannedTrials.jobRowId", "scannedTrials.position", "scannedTrials.extent"])
    .where(isAt(store, "scannedTrials", places))
    .$narrowType<{ position: number }>()
    .execute();
  return new Map(rows.map((row) => [namePlace(row), row.extent]));
}

export type StoredScanner = Awaited<ReturnType<typeof readScanners>>[number];

export async function readScanners({ db }: IndexStore) {
  const rows = await db.selectFrom("scanners").selectAll().orderBy("position").execute();
  return rows.map(({ info, file, isOwn }) => ({ ...decodeValue(info), file, isOwn: isOwn === 1 }));
}

export async function readRefusedScanners({ db }: IndexStore): Promise<readonly Stored<"refusedScanners">[]> {
  return db.selectFrom("refusedScanners").selectAll().orderBy("position").execute();
}

export type TrialScans = Awaited<ReturnType<typeof readTrialScans>>;

export async function readTrialScans({ db }: IndexStore, place: RowPlace) {
  const { jobRowId, position } = place;
  const [scanned, rows] = await Promise.all([
    db
      .selectFrom("scannedTrials")
      .select("extent")
      .where((where) => where.and({ jobRowId, position }))
      .executeTakeFirst(),
    db
      .selectFrom("trialScans")
      .innerJoin("scanners", "scanners.id", "trialScans.scanner")
      .select(["trialScans.scanner", "trialScans.version", "trialScans.nPlaces", "trialScans.places"])
      .select(["trialScans.stopped", "scanners.info"])
      .where((where) => where.and({ "trialScans.jobRowId": jobRowId, "trialScans.position": position }))
      .orderBy("scanners.position")
      .execute(),
  ]);
  return {
    extent: scanned?.extent ?? null,
    results: rows.map(({ places, info, ...row }) => ({
      ...row,
      places: decodeValue<readonly ScanPlace[]>(places),
      info: decodeValue(info),
    })),
  };
}

export async function readScannerFacet(store: IndexStore, jobs: number | null) {
  const [scanners, counts] = await Promise.all([
    readScanners(store),
    store.db
      .selectFrom("trialScans")
      .select(({ fn }) => ["scanner", fn.countAll<number>().as("count")])
      .where(isOfJobs(store, "jobRowId", jobs))
      .where("position", "is not", null)
      .where("nPlaces", ">", 0)
      .groupBy("scanner")
      .execute(),
  ]);
  const byId = new Map(counts.map(({ scanner, count }) => [scanner, count]));
  return scanners.flatMap(({ id, title }) => {
    const count = byId.get(id);
    return count === undefined ? [] : { value: id, title, count };
  });
}

export type ScanTally = Awaited<ReturnType<typeof readScanTallies>>[number];

/** Counts the hits of all scanners over all fully scanned jobs. */
export async function readScanTallies({ db }: IndexStore) {
  return db
    .selectFrom("trialScans")
    .innerJoin("trials", atSamePlace("trials", "trialScans"))
    .innerJoin("scanners", "scanners.id", "trialScans.scanner")
    .innerJoin("jobs", ofScannedJob("trials.jobRowId"))
    .select(["trialScans.scanner", "trials.jobRowId", "trials.agent", "trials.outcome"])
    .select(({ fn }) => fn.countAll<number>().as("nTrials"))
    .where("trialScans.nPlaces", ">", 0)
    .groupBy(["trialScans.scanner", "trials.jobRowId", "trials.agent", "trials.outcome"])
    .execute();
}

export type ScanTotal = Awaited<ReturnType<typeof readScanTotals>>[number];

export async function readScanTotals({ db }: IndexStore) {
  return db
    .selectFrom("trials")
    .leftJoin("jobs", ofScannedJob("trials.jobRowId"))
    .leftJoin("scannedTrials", atScannedPlace)
    .select(["trials.jobRowId", "trials.agent", "scannedTrials.extent"])
    .select(({ fn }) => fn.countAll<number>().as("nTrials"))
    .groupBy(["trials.jobRowId", "trials.agent", "scannedTrials.extent"])
    .execute();
}

export async function readStoppedScans({ db }: IndexStore, most: number) {
  const rows = await db
    .selectFrom("trialScans")
    .innerJoin("jobs", "jobs.id", "trialScans.jobRowId")
    .select(["trialScans.scanner", "jobs.key as jobKey", "trialScans.key as trialKey", "stopped"])
    .where("stopped", "is not", null)
    .where("trialScans.position", "is not", null)
    .orderBy(inOrder("trialScans.scanner", "trialScans.jobRowId", "trialScans.position"))
    .limit(most)
    .execute();
  return rows.map(({ stopped, ...row }) => ({ ...row, reason: stopped ?? "" }));
}

export async function readTagCounts(store: IndexStore, jobRowId: number | null) {
  return store.db
    .selectFrom("tags")
    .select(["jobRowId", "groupKey", "category", "source", "nTrials", "nFinished"])
    .where(isOfJobs(store, "jobRowId", jobRowId))
    .orderBy(inOrder("jobRowId", "position"))
    .execute();
}

export async function readTaggedKeys(store: IndexStore, jobRowId: number, categories: readonly string[]) {
  const rows = await store.db
    .selectFrom("trialTags")
    .innerJoin("trials", atSamePlace("trials", "trialTags"))
    .select("trials.key")
    .distinct()
    .where("trialTags.jobRowId", "=", jobRowId)
    .where(isAmong(store, "trialTags.category", categories))
    .execute();
  return new Set(rows.map(({ key }) => key));
}
