import type { ScanExtent } from "@/lib/core/domain/scanner";
import type { SuggesterKind } from "@/lib/core/domain/suggestion";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import { namePlace } from "./candidates";
import { atSamePlace, isAt, type RowPlace } from "./query";

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
export async function readMachineTags(
  { db }: IndexStore,
  place: RowPlace | null = null,
): Promise<readonly MachineTag[]> {
  let scans = db
    .selectFrom("trialScans")
    .innerJoin("trials", atSamePlace("trials", "trialScans"))
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.groupKey", "trials.state"])
    .select(["trialScans.scanner as id", "trialScans.version"])
    .where("trialScans.nPlaces", ">", 0);
  let tags = db
    .selectFrom("trialTags")
    .innerJoin("trials", atSamePlace("trials", "trialTags"))
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.groupKey", "trials.state"])
    .select(["trialTags.category as id", "trialTags.source"])
    .distinct()
    .where("trialTags.source", "!=", "human");
  if (place !== null) {
    const { jobRowId, position } = place;
    scans = scans.where("trials.jobRowId", "=", jobRowId).where("trials.position", "=", position);
    tags = tags.where("trials.jobRowId", "=", jobRowId).where("trials.position", "=", position);
  }
  const [found, given] = await Promise.all([scans.execute(), tags.execute()]);
  const inFiles: MachineTag[] = [
    ...found.map(({ state, version, ...row }) => ({
      ...row,
      kind: "scanner" as const,
      version: String(version),
      isFinished: state === "finished",
    })),
    ...given.map(({ state, source, ...row }) => ({
      ...row,
      kind: source === "judge" ? ("judge" as const) : ("verifier" as const),
      version: "",
      isFinished: state === "finished",
    })),
  ];
  const known = new Set(inFiles.map(nameTag));
  const reported = (await readReportedTags({ db }, place ?? {})).filter((tag) => {
    const isNew = !known.has(nameTag(tag));
    known.add(nameTag(tag));
    return isNew;
  });
  return [...inFiles, ...reported];
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
  const tags = await readReportedTags(store, { jobRowId });
  return new Set(tags.flatMap(({ id, key }) => (categories.includes(id) ? key : [])));
}

async function readReportedTags(
  { db }: Pick<IndexStore, "db">,
  { jobRowId, position }: Partial<RowPlace>,
): Promise<readonly MachineTag[]> {
  const tags: MachineTag[] = [];
  const analyses = db
    .selectFrom("reports")
    .innerJoin("jobs as analysis", "analysis.id", "reports.jobRowId")
    .innerJoin("trials", "trials.trialName", "reports.subject")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.groupKey", "trials.state"])
    .select("reports.content")
    .where("analysis.purpose", "=", "analysis")
    .where("jobs.purpose", "=", "benchmark")
    .orderBy("trials.jobRowId")
    .orderBy("trials.position")
    .orderBy("reports.jobRowId")
    .orderBy("reports.position");
  const ofJob = jobRowId === undefined ? analyses : analyses.where("trials.jobRowId", "=", jobRowId);
  const asked = position === undefined ? ofJob : ofJob.where("trials.position", "=", position);
  for (let first = 0; ; first += REPORTS_AT_ONCE) {
    const rows = await asked.limit(REPORTS_AT_ONCE).offset(first).execute();
    for (const { content, state, ...row } of rows)
      for (const { name, outcome } of decodeValue(content).analysis.checks)
        if (outcome === "fail")
          tags.push({
            ...row,
            kind: "judge",
            id: name.trim(),
            version: "",
            isFinished: state === "finished",
          });
    if (rows.length < REPORTS_AT_ONCE) return tags;
  }
}

export type TagTotal = Awaited<ReturnType<typeof readTagTotals>>[number];

/** Counts the trials of all jobs. Linear in the trials, and computed in the database. */
export async function readTagTotals({ db }: IndexStore) {
  const rows = await db
    .selectFrom("trials")
    .leftJoin("trialFailures", atSamePlace("trials", "trialFailures"))
    .leftJoin("jobs", (join) => join.onRef("jobs.id", "=", "trials.jobRowId").on("jobs.hasScans", "=", 1))
    .leftJoin("scannedTrials", (join) =>
      join
        .onRef("scannedTrials.jobRowId", "=", "jobs.id")
        .onRef("scannedTrials.position", "=", "trials.position"),
    )
    .select(["trials.jobRowId", "trials.groupKey", "trials.agent", "trials.model", "trials.state"])
    // The class is null if the trial passed, still runs or is not classified; the extent until all scanners have run.
    .select(["trialFailures.failureClass", "scannedTrials.extent"])
    .select(({ fn }) => fn.countAll<number>().as("nTrials"))
    .groupBy(["trials.jobRowId", "trials.groupKey", "trials.agent", "trials.model", "trials.state"])
    .groupBy(["trialFailures.failureClass", "scannedTrials.extent"])
    .execute();
  return rows.map(({ state, ...row }) => ({ ...row, isFinished: state === "finished" }));
}

export async function readScanExtents(
  store: IndexStore,
  places: readonly RowPlace[],
): Promise<ReadonlyMap<string, ScanExtent>> {
  if (places.length === 0) return new Map();
  const rows = await store.db
    .selectFrom("scannedTrials")
    .innerJoin("jobs", (join) =>
      join.onRef("jobs.id", "=", "scannedTrials.jobRowId").on("jobs.hasScans", "=", 1),
    )
    .select(["scannedTrials.jobRowId", "scannedTrials.position", "scannedTrials.extent"])
    .where(isAt(store, "scannedTrials", places))
    .$narrowType<{ position: number }>()
    .execute();
  return new Map(rows.map((row) => [namePlace(row), row.extent]));
}
