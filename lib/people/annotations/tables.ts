import type { Generated, Kysely } from "kysely";

/** Current leases. The only table with updates and deletes. */
interface LeaseTable {
  readonly queue_id: string;
  readonly position: number;
  readonly reviewer_key: string;
  readonly reviewer_id: string;
  readonly token: string;
  readonly granted_at: string;
  readonly expires_at: string;
}

export const STATEMENT_KINDS = [
  "codebook",
  "judgment",
  "decision",
  "triage_note",
  "suggestion_answer",
  "imported_tag",
  "queue",
  "queue_item",
  "queue_event",
  "view",
  "run_set",
] as const;

export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** Their readers report damaged rows: later changes of the codebook build on them, and a queue without one is not a sample. */
export const KEPT_KINDS: readonly StatementKind[] = ["codebook", "queue", "queue_item"];

export interface StatementRow {
  seq: Generated<number>;
  readonly id: string;
  readonly kind: StatementKind;
  readonly subject: string;
  readonly parent: string | null;
  readonly author: string;
  readonly actor: string | null;
  readonly at: string;
  readonly body: string;
}

export interface AnnotationTables {
  review_lease: LeaseTable;
  statement: StatementRow;
}

export type AnnotationDb = Kysely<AnnotationTables>;

/** The open store of each transaction: what was folded of it is a beginning. */
const origins = new WeakMap<AnnotationDb, AnnotationDb>();

export function continueFrom(origin: AnnotationDb, transaction: AnnotationDb): AnnotationDb {
  origins.set(transaction, origin);
  return transaction;
}

export function findOrigin(db: AnnotationDb): AnnotationDb {
  return origins.get(db) ?? db;
}
