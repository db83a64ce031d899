import type { Annotation } from "@/lib/domain/annotation";
import type { Salvage } from "@/lib/database";
import { StoreError } from "@/lib/domain/app-error";

import { groupByTrial } from "./chain";
import { readEverything, type StoredAnnotations } from "./list";
import { COLUMNS, readRows } from "./record";
import type { AnnotationStore } from "./store";
import { describeUnreadable, type UnreadableRow } from "./unreadable-row";

/** Name and version of a line's shape. Fields are only added within a version; a change of meaning makes a new one. */
const ANNOTATION_LINE_SCHEMA = "assay.annotation/1";

/** The same of a line about a row that cannot be read. */
const UNREADABLE_LINE_SCHEMA = "assay.annotation-unreadable/1";

/** The same of the last line of what a damaged file still gives. */
const DAMAGED_LINE_SCHEMA = "assay.annotations-damaged/1";

/** Which versions to write. */
export interface ExportOptions {
  /** All saved versions instead of those that count: superseded and withdrawn ones too. */
  readonly history?: boolean;
}

/** An export that is ready to be written. */
export interface AnnotationExport {
  /** Texts that follow each other. */
  readonly lines: Iterable<string>;
  /** What of the store cannot be read, and what to do; null when everything can. */
  readonly problem: string | null;
}

/**
 * Returns one JSON object per line, in the order they were stored, each ended by `\n`; README.md has the fields. What cannot be
 * read comes last, since a file without it would pass for the whole.
 *
 * @throws StoreError when nothing can be read; a damaged file is read as far as it goes
 */
export async function prepareExport(
  store: AnnotationStore,
  options: ExportOptions = {},
): Promise<AnnotationExport> {
  try {
    const stored = await readEverything(store);
    return {
      lines: writeLines(stored, options),
      problem: describeUnreadable(store.place, stored.unreadable),
    };
  } catch (error) {
    const salvage =
      error instanceof StoreError && error.code === "store_corrupt" ? await store.salvage(COLUMNS) : null;
    if (salvage === null || !(error instanceof StoreError)) throw error;
    const lost = {
      schema: DAMAGED_LINE_SCHEMA,
      problem: error.message,
      lost_rows: salvage.lost,
      last_row: salvage.lastNumber,
    };
    const stored = readRows(salvage.rows);
    const lines = writeLines({ ...stored, trials: groupByTrial(stored.events) }, options);
    return { lines: joinLines(lines, formatLine(lost)), problem: describeSalvage(error.message, salvage) };
  }
}

function* joinLines(lines: Iterable<string>, last: string): Generator<string> {
  yield* lines;
  yield last;
}

function describeSalvage(message: string, { rows, lost, lastNumber }: Salvage): string {
  const ranges = lost.map(([first, last]) =>
    first === last ? String(first) : `${String(first)} to ${String(last)}`,
  );
  if (lastNumber === null) ranges.push(rows.length === 0 ? "unknown" : "unknown how many later ones");
  return `${message} Rows that could be read: ${String(rows.length)}; rows that could not: ${ranges.join(", ") || "none"}.`;
}

function* writeLines(
  { events, trials, unreadable }: StoredAnnotations,
  { history }: ExportOptions,
): Generator<string> {
  const versions = new Map(
    trials.flatMap(({ chains }) =>
      chains.flatMap((chain) => chain.versions.map((version) => [version.versionId, version] as const)),
    ),
  );
  // By the order of events: a clock may have been set back between two of them.
  for (const { versionId } of events) {
    const version = versions.get(versionId);
    if (version === undefined || (history !== true && version.status !== "current")) continue;
    yield formatLine(prepareLine(version));
  }
  for (const row of unreadable) yield formatLine(prepareUnreadable(row));
}

function formatLine(value: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(value)}\n`;
}

function prepareUnreadable({ seq, problem, columns }: UnreadableRow): Readonly<Record<string, unknown>> {
  return { schema: UNREADABLE_LINE_SCHEMA, row: seq, problem, columns };
}

function prepareLine(version: Annotation): Readonly<Record<string, unknown>> {
  const { subject } = version;
  return {
    schema: ANNOTATION_LINE_SCHEMA,
    version_id: version.versionId,
    version: version.version,
    status: version.status,
    withdrawn_at: version.withdrawnAt,
    trial_id: subject.trialId,
    job_id: subject.jobUuid,
    trial_name: subject.trialName,
    job_name: subject.jobName,
    root: subject.rootLabel,
    task_name: subject.taskName,
    agent: subject.agent,
    model: subject.model,
    outcome_seen: subject.outcomeSeen,
    reward_seen: subject.rewardSeen,
    reviewer_id: version.reviewerId,
    reviewer_discipline: version.reviewerDiscipline,
    timestamp: version.timestamp,
    judgment: version.judgment,
    categories: version.categories,
    notes: version.notes,
    saved_by: version.savedBy,
    withdrawn_by: version.withdrawnBy,
  };
}
