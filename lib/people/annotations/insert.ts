import type { Insertable } from "kysely";

import { takeTurns } from "@/lib/store/database";

import { computeChecksum, type StatementTable } from "./checksum";
import { RECORD_SCHEMA_VERSION } from "./migrations";
import {
  type AnnotationDb,
  type AnnotationEvent,
  type AnnotationTables,
  type Claim,
  toSubjectColumns,
} from "./record";

export type NewEvent = Omit<AnnotationEvent, "schemaVersion" | "savedBy">;

export async function insertEvent(db: AnnotationDb, event: NewEvent, claim: Claim): Promise<void> {
  await insertStatements(db, "annotation_version", [toRow(event, claim)]);
}

/** Engines limit the values of a statement. */
const ROWS_AT_ONCE = 100;

/** Inserts rows with their checksums: a row without one counts for nothing. */
export async function insertStatements<Table extends StatementTable>(
  db: AnnotationDb,
  table: Table,
  rows: readonly Insertable<AnnotationTables[Table]>[],
): Promise<void> {
  const added = rows.map((row) => ({ ...row, checksum: computeChecksum(table, { ...row }) }));
  for await (const some of takeTurns(added, ROWS_AT_ONCE))
    await db.insertInto<StatementTable>(table).values(some).execute();
}

export async function insertEvents(
  db: AnnotationDb,
  events: readonly Omit<AnnotationEvent, "schemaVersion">[],
): Promise<void> {
  const rows = events.map(({ savedBy, ...event }) => toRow(event, { browserKeyHash: null, savedBy }));
  await insertStatements(db, "annotation_version", rows);
}

function toRow(event: NewEvent, claim: Claim) {
  return {
    version_id: event.versionId,
    kind: event.withdraws === null ? ("saved" as const) : ("withdrawn" as const),
    withdraws: event.withdraws,
    ...toSubjectColumns(event.subject),
    reviewer_key: event.reviewerKey,
    reviewer_id: event.reviewerId,
    reviewer_discipline: event.reviewerDiscipline,
    created_at: event.timestamp,
    judgment: event.judgment,
    categories: JSON.stringify(event.categories),
    notes: event.notes,
    confidence: event.confidence,
    evidence: JSON.stringify(event.evidence),
    queue_id: event.queue?.queueId ?? null,
    queue_position: event.queue?.position ?? null,
    hidden: event.hidden === null ? null : JSON.stringify(event.hidden),
    codebook_version: event.codebookVersion,
    fingerprint: event.fingerprint,
    schema_version: RECORD_SCHEMA_VERSION,
    browser_key_hash: claim.browserKeyHash,
    saved_by: claim.savedBy,
  };
}
