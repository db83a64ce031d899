import type { Generated } from "kysely";

export interface SubjectColumns {
  readonly trial_id: string | null;
  readonly job_id: string | null;
  readonly trial_name: string;
  readonly job_name: string;
  readonly root_label: string;
  readonly task_name: string;
  readonly agent: string;
  readonly model: string | null;
  readonly outcome_seen: string;
  readonly reward_seen: string | null;
}

/** Codebook changes. The last number is the version. */
export interface CodebookTable {
  version: Generated<number>;
  readonly created_at: string;
  readonly author: string;
  readonly change: string;
}

/** Immutable, like its items. */
export interface QueueTable {
  seq: Generated<number>;
  readonly queue_id: string;
  readonly settings: string;
  readonly created_at: string;
  readonly created_by: string;
}

export interface QueueItemTable extends SubjectColumns {
  readonly queue_id: string;
  readonly position: number;
  readonly n_reviewers: number;
}

/** Queue events other than judgments. Append-only. */
export interface QueueEventTable {
  seq: Generated<number>;
  readonly queue_id: string;
  readonly position: number | null;
  readonly kind: "skipped" | "requeued" | "closed" | "reopened";
  readonly reviewer_key: string;
  readonly reviewer_id: string;
  readonly created_at: string;
}

/** Current leases. The only table with updates and deletes. */
export interface LeaseTable {
  readonly queue_id: string;
  readonly position: number;
  readonly reviewer_key: string;
  readonly reviewer_id: string;
  readonly token: string;
  readonly granted_at: string;
  readonly expires_at: string;
}

export const STATEMENT_KINDS = ["decision", "triage_note", "suggestion_answer", "imported_tag"] as const;

export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** Append-only. */
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
