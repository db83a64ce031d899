import type { Generated } from "kysely";

/** Identifies a trial in every review table; see `AnnotationSubject`. */
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

/** Decisions on trials whose reviewers disagree. Append-only. */
export interface DecisionTable extends SubjectColumns {
  seq: Generated<number>;
  readonly decision_id: string;
  /** The decision that it undoes; null for a decision. */
  readonly withdraws: string | null;
  /** Null if left open on purpose, and for withdrawals. */
  readonly final_judgment: string | null;
  /** JSON list of strings. */
  readonly categories: string;
  readonly reason: string | null;
  readonly based_on: string | null;
  /** Describes what is unclear in the codebook. */
  readonly codebook_note: string | null;
  readonly decider_key: string;
  readonly decided_by: string;
  readonly created_at: string;
  /** JSON list of judgment ids. */
  readonly sources: string;
  readonly queue_id: string | null;
  readonly codebook_version: number;
  readonly browser_key_hash: string | null;
}

/** Codebook changes. The last number is the version. */
export interface CodebookTable {
  version: Generated<number>;
  readonly created_at: string;
  readonly author: string;
  /** JSON, see `codebook/changes.ts`. */
  readonly change: string;
}

/** Immutable. */
export interface QueueTable {
  seq: Generated<number>;
  readonly queue_id: string;
  /** JSON of `QueueSettings`. */
  readonly settings: string;
  readonly created_at: string;
  readonly created_by: string;
}

/** Immutable. */
export interface QueueItemTable extends SubjectColumns {
  readonly queue_id: string;
  /** From 0, in review order. */
  readonly position: number;
  /** 1 or 2. */
  readonly n_reviewers: number;
}

/** Queue events other than judgments. Append-only. */
export interface QueueEventTable {
  seq: Generated<number>;
  readonly queue_id: string;
  /** Null for events of the whole queue. */
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
  /** Known only to the page that holds the lease. */
  readonly token: string;
  /** UTC, ISO 8601. */
  readonly granted_at: string;
  readonly expires_at: string;
}

/** Cluster names and dismissed findings. Append-only. */
export interface TriageNoteTable {
  seq: Generated<number>;
  readonly kind: "named" | "dismissed" | "restored";
  readonly target: string;
  /** Name or reason; null if undone. */
  readonly text: string | null;
  /** JSON snapshot of the target, readable without its trials. */
  readonly about: string;
  readonly author: string;
  readonly created_at: string;
  /** See `hashBrowserKey`; null if unknown. */
  readonly browser_key_hash?: string | null;
}

/** Reviewers' answers to machine-generated tags. Append-only. */
export interface SuggestionAnswerTable extends Pick<
  SubjectColumns,
  "trial_id" | "job_id" | "trial_name" | "job_name"
> {
  seq: Generated<number>;
  readonly kind: "accepted" | "rejected" | "withdrawn";
  /** See `nameSuggester`. */
  readonly suggester: string;
  readonly version: string;
  readonly reviewer_key: string;
  readonly reviewer_id: string;
  readonly created_at: string;
  /** See `hashBrowserKey`; null if unknown. */
  readonly browser_key_hash?: string | null;
}

/** Tag imports and their withdrawals. Append-only. */
export interface TagImportTable {
  seq: Generated<number>;
  readonly import_id: string;
  readonly kind: "imported" | "undone";
  /** As typed in the browser; may be empty. */
  readonly author: string;
  readonly created_at: string;
  readonly browser_key_hash: string | null;
}

/** Tags from other tools. Append-only. A tag counts until its import is undone. */
export interface ImportedTagTable extends Pick<
  SubjectColumns,
  "trial_id" | "job_id" | "trial_name" | "job_name"
> {
  seq: Generated<number>;
  readonly import_id: string;
  readonly source: string;
  readonly category: string;
  readonly description: string | null;
  /** JSON list, see `tagEvidenceSchema`. */
  readonly evidence: string;
}
