import type { Generated } from "kysely";

/** What names a trial in every table of reviews; see `AnnotationSubject`. */
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

/** Decisions over reviewers who disagree: events, only ever added. */
export interface DecisionTable extends SubjectColumns {
  seq: Generated<number>;
  readonly decision_id: string;
  /** Decision that this one undoes; null for a decision. */
  readonly withdraws: string | null;
  /** Null where it is left open on purpose, and of a withdrawal. */
  readonly final_judgment: string | null;
  /** JSON list of texts. */
  readonly categories: string;
  readonly reason: string | null;
  readonly based_on: string | null;
  /** What is unclear in the codebook; null where nothing is. */
  readonly codebook_note: string | null;
  readonly decider_key: string;
  readonly decided_by: string;
  readonly created_at: string;
  /** JSON list of the ids of the judgments that were decided over. */
  readonly sources: string;
  readonly queue_id: string | null;
  readonly codebook_version: number;
  readonly browser_key_hash: string | null;
}

/** Changes of the codebook, the number of the last one is its version. */
export interface CodebookTable {
  version: Generated<number>;
  readonly created_at: string;
  readonly author: string;
  /** JSON, see `codebook/changes.ts`. */
  readonly change: string;
}

/** Queues; never changed. */
export interface QueueTable {
  seq: Generated<number>;
  readonly queue_id: string;
  /** JSON of `QueueSettings`. */
  readonly settings: string;
  readonly created_at: string;
  readonly created_by: string;
}

/** Trials of queues; never changed. */
export interface QueueItemTable extends SubjectColumns {
  readonly queue_id: string;
  /** From 0, in the order in which they are reviewed. */
  readonly position: number;
  /** Reviewers who judge it: 1 or 2. */
  readonly n_reviewers: number;
}

/** What happened to a queue apart from judgments; only ever added. */
export interface QueueEventTable {
  seq: Generated<number>;
  readonly queue_id: string;
  /** Null where it is about the whole queue. */
  readonly position: number | null;
  readonly kind: "skipped" | "requeued" | "closed" | "reopened";
  readonly reviewer_key: string;
  readonly reviewer_id: string;
  readonly created_at: string;
}

/** Who works on which trial of a queue just now. The one table whose rows are changed and removed. */
export interface LeaseTable {
  readonly queue_id: string;
  readonly position: number;
  readonly reviewer_key: string;
  readonly reviewer_id: string;
  /** Known to the page that holds it. */
  readonly token: string;
  /** UTC, ISO 8601. */
  readonly granted_at: string;
  readonly expires_at: string;
}

/** Names of clusters and dismissals of findings; only ever added. */
export interface TriageNoteTable {
  seq: Generated<number>;
  readonly kind: "named" | "dismissed" | "restored";
  /** Key of the cluster or finding. */
  readonly target: string;
  /** Name or reason; null where it was undone. */
  readonly text: string | null;
  /** JSON: what the target was, so that it is known without its trials. */
  readonly about: string;
  readonly author: string;
  readonly created_at: string;
  /** See `hashBrowserKey`; null where it is not known. */
  readonly browser_key_hash?: string | null;
}

/** What reviewers say of machines' tags on trials; only ever added. */
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
  /** See `hashBrowserKey`; null where it is not known. */
  readonly browser_key_hash?: string | null;
}

/** Imports of tags, and those that were undone; only ever added. */
export interface TagImportTable {
  seq: Generated<number>;
  readonly import_id: string;
  readonly kind: "imported" | "undone";
  /** Name that was typed in the browser; empty without one. */
  readonly author: string;
  readonly created_at: string;
  readonly browser_key_hash: string | null;
}

/** Tags that other tools gave trials; only ever added. One counts while its import is not undone. */
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
