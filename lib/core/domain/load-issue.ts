/** A closed list; a `note` changes nothing. */
export const LOAD_ISSUE_CODES = {
  folder_unreadable: "problem",
  reading_failed: "problem",
  file_unreadable: "problem",
  file_empty: "problem",
  file_too_large: "problem",
  too_many_values: "problem",
  job_too_large: "problem",
  reader_stopped: "problem",
  json_torn: "problem",
  report_unreadable: "problem",
  text_not_utf8: "problem",
  field_invalid: "problem",
  rewards_invalid: "problem",
  reward_file_invalid: "problem",
  result_foreign: "problem",
  run_manifest_missing: "problem",
  server_database_unreadable: "problem",
  link_outside_root: "problem",
  too_deep: "problem",
  too_many_folders: "problem",
  groups_too_many: "problem",
  rules_invalid: "problem",
  classifying_failed: "problem",
  rule_stopped: "problem",
  dimensions_too_many: "problem",
  tags_too_many: "problem",
  bucket_unreachable: "problem",
  bucket_denied: "problem",
  object_refused: "problem",
  object_not_fetched: "problem",
  text_too_long: "note",
  trial_without_result: "note",
  trial_folder_missing: "note",
  reward_outside_contract: "note",
  job_without_result: "note",
  job_without_trials: "note",
  trials_without_job: "note",
  folder_shared: "note",
  group_key_differs: "note",
  link_repeated: "note",
  job_id_repeated: "note",
  trial_id_repeated: "note",
  layout_foreign: "note",
  no_jobs_found: "note",
  scanner_stopped: "note",
} as const satisfies Record<string, "problem" | "note">;

export type LoadIssueCode = keyof typeof LOAD_ISSUE_CODES;

export interface LoadIssue {
  readonly code: LoadIssueCode;
  readonly path: string;
  readonly detail: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issue: LoadIssue };
