import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import type { ScanExtent, ScannerScope } from "@/lib/core/domain/scanner";
import { type Outcome, OUTCOMES } from "@/lib/core/domain/trial";
import { computeWilsonInterval } from "@/lib/core/stats";
import {
  type IndexStore,
  type ListedJob,
  readListedJobs,
  readRefusedScanners,
  readScanners,
  readScanTallies,
  type ScanTally,
  readScanTotals,
  type ScanTotal,
  readStoppedScans,
  type StoredScanner,
} from "@/lib/store/tables";

import { getCached } from "../shell/catalog";

export type ScannersPage = Awaited<ReturnType<typeof readScannersPage>>;
export type ScannerRow = ScannersPage["rows"][number];
export type ScanCount = ReturnType<typeof countHits>;

export const MOST_STOPPED = 100;

export const OTHER_OUTCOMES: readonly Outcome[] = OUTCOMES.filter(
  (outcome) => outcome !== "passed" && outcome !== "failed",
);

export async function getScannersPage() {
  return getCached("scanners", readScannersPage);
}

export async function readScannersPage(store: IndexStore) {
  const [scanners, refused, tallies, totals, stopped, jobs] = await Promise.all([
    readScanners(store),
    readRefusedScanners(store),
    readScanTallies(store),
    readScanTotals(store),
    readStoppedScans(store, MOST_STOPPED),
    readListedJobs(store),
  ]);
  const jobById = new Map(jobs.map((job) => [job.id, job]));
  const bySize = Map.groupBy(tallies, ({ scanner }) => scanner);
  const count = (extent: ScanExtent | null) => sum(totals.filter((total) => total.extent === extent));
  return {
    rows: scanners.map((scanner) => countScanner(scanner, bySize.get(scanner.id) ?? [], totals, jobById)),
    nTrials: sum(totals),
    // Scanned trials by what could be read.
    nWithSteps: count("steps"),
    nFilesOnly: count("files"),
    nUnopened: count("none"),
    nToScan: count(null),
    refused,
    stopped,
  };
}

function countScanner(
  scanner: StoredScanner,
  tallies: readonly ScanTally[],
  totals: readonly ScanTotal[],
  jobById: ReadonlyMap<number, ListedJob>,
) {
  const scanned = totals.filter(({ extent }) => isScanned(scanner.scope, extent));
  const ofOutcomes = (...outcomes: readonly Outcome[]) =>
    sum(tallies.filter(({ outcome }) => outcomes.includes(outcome)));
  const countOf = <Key extends string | number>(keyOf: (one: ScanTally | ScanTotal) => Key) =>
    [...Map.groupBy(tallies, keyOf)]
      .map(([key, own]) => ({
        key,
        ...countHits(sum(own), sum(scanned.filter((total) => keyOf(total) === key))),
      }))
      .toSorted((a, b) => b.nFound - a.nFound || compareNames(String(a.key), String(b.key)));
  return {
    scanner,
    ...countHits(sum(tallies), sum(scanned)),
    nPassed: ofOutcomes("passed"),
    nFailed: ofOutcomes("failed"),
    /** Neither passed nor failed, such as cut off, cancelled or without a reward. */
    nOther: ofOutcomes(...OTHER_OUTCOMES),
    agents: countOf(({ agent }) => agent).map(({ key, ...hits }) => ({ agent: key, ...hits })),
    jobs: countOf(({ jobRowId }) => jobRowId).flatMap(({ key, ...hits }) => {
      const job = jobById.get(key);
      return job === undefined ? [] : { jobKey: job.key, jobName: job.name, ...hits };
    }),
  };
}

function sum(some: readonly { readonly nTrials: number }[]): number {
  return some.reduce((total, { nTrials }) => total + nTrials, 0);
}

/** The rate is out of the trials that it could scan. */
function countHits(nFound: number, nScanned: number) {
  return { nFound, rate: computeWilsonInterval(nFound, nScanned) };
}

/** A scanner of steps needs a trajectory. */
function isScanned(scope: ScannerScope, extent: ScanExtent | null): boolean {
  return extent === "steps" || (scope === "files" && extent === "files");
}
