import type { ScanPlace } from "@/lib/core/domain/scanner";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";
import { atSamePlace, isOfJobs, type RowPlace } from "./query";

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
      .where("jobRowId", "=", jobRowId)
      .where("position", "=", position)
      .executeTakeFirst(),
    db
      .selectFrom("trialScans")
      .innerJoin("scanners", "scanners.id", "trialScans.scanner")
      .select(["trialScans.scanner", "trialScans.version", "trialScans.nPlaces", "trialScans.places"])
      .select(["trialScans.stopped", "scanners.info"])
      .where("trialScans.jobRowId", "=", jobRowId)
      .where("trialScans.position", "=", position)
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
    .innerJoin("jobs", (join) => join.onRef("jobs.id", "=", "trials.jobRowId").on("jobs.hasScans", "=", 1))
    .select(["trialScans.scanner", "trials.jobRowId", "trials.agent", "trials.outcome"])
    .select(({ fn }) => fn.countAll<number>().as("nTrials"))
    .where("trialScans.nPlaces", ">", 0)
    .groupBy(["trialScans.scanner", "trials.jobRowId", "trials.agent", "trials.outcome"])
    .execute();
}

export type ScanTotal = Awaited<ReturnType<typeof readScanTotals>>[number];

/** Counts all trials, scanned or not. */
export async function readScanTotals({ db }: IndexStore) {
  return db
    .selectFrom("trials")
    .leftJoin("jobs", (join) =>
      // A new scanner has not run where the old ones have.
      join.onRef("jobs.id", "=", "trials.jobRowId").on("jobs.hasScans", "=", 1),
    )
    .leftJoin("scannedTrials", (join) =>
      join
        .onRef("scannedTrials.jobRowId", "=", "jobs.id")
        .onRef("scannedTrials.position", "=", "trials.position"),
    )
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
    .orderBy("trialScans.scanner")
    .orderBy("trialScans.jobRowId")
    .orderBy("trialScans.position")
    .limit(most)
    .execute();
  return rows.map(({ stopped, ...row }) => ({ ...row, reason: stopped ?? "" }));
}
