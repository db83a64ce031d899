import type { LoadIssueCode } from "@/lib/core/domain/load-issue";

export const LOAD_ADVICE: Readonly<Record<LoadIssueCode, string>> = {
  folder_unreadable: "Nothing in it was read. It is retried automatically.",
  reading_failed:
    'Shown as last read, if ever. It is read again when its files change, or with "Rescan folders".',
  file_unreadable: "Left out. It is retried automatically.",
  file_empty:
    "Counted as unreadable. If it is still being written, wait; otherwise delete it or run the trial again.",
  file_too_large: "Left out until it changes, so that other files are not held up. Check what wrote it.",
  too_many_values: "Left out until it changes, so that other files are not held up. Check what wrote it.",
  job_too_large:
    "Counted as unreadable, so that the rest can be read. Check what wrote the largest of these trials.",
  reader_stopped: "Left out until it changes, so that other files are not held up. Check what wrote it.",
  json_torn:
    "Counted as unreadable. If it is still being written, wait; otherwise restore it or run the trial again.",
  report_unreadable: "Its tests are left out; no reward comes from it. Check what wrote it.",
  text_not_utf8: "Left out. Check what wrote it; Harbor writes UTF-8.",
  field_invalid: "The rest was read. Compare the file with what Harbor writes.",
  rewards_invalid: "The trial has no usable reward (not 0). Fix the verifier or its file.",
  reward_file_invalid: "Compared as an error, not as a number. Fix the verifier that wrote it.",
  result_foreign: "Left out; everything below it was read. Rename it if Harbor did not write it.",
  run_manifest_missing:
    "Agent, model and dataset of these trials count as unknown. Copy the ledger with its _runs folder.",
  server_database_unreadable:
    "Jobs and retries come from the rollout folders, so names, states and queued trials are unknown. Restore the database and rescan.",
  link_outside_root: "Not followed. Open its target separately.",
  too_deep: "Not searched. Open a folder further down.",
  too_many_folders: "Everything found so far is shown; the rest is left out. Open a folder further down.",
  rules_invalid: "Correct the rule in that file; it is read again at the next scan.",
  classifying_failed:
    'Its job is left out of triage. Check your own rules, if any; it is tried again when they or its files change, or with "Rescan folders".',
  rule_stopped: "Simplify its patterns in rules.toml; trials are classified again when that file changes.",
  groups_too_many: "Left out of lists of groups. Check what wrote the job's result.json or its trials.",
  text_too_long: "Shown shortened, with its length; figures use all of it. Open the file to read the rest.",
  dimensions_too_many:
    "The rest is left out of dimension figures; the trial's page has them all. Check what wrote the file.",
  tags_too_many:
    "The rest is left out of error tag figures; the trial's page has them all. Check what wrote the file.",
  bucket_unreachable: "Shown as last fetched, if ever. It is retried automatically.",
  bucket_denied: 'Shown as last fetched, if ever. Allow it, and press "Rescan folders".',
  object_refused: "Left out. Rename the object.",
  object_not_fetched: "Counted as unreadable, not as missing. It is read once it is fetched.",
  trial_without_result:
    "Counted as missing, or as running while the job runs. Harbor runs it again on resume.",
  trial_folder_missing:
    "Figures that need these trials cannot be checked. If they ever began, copy the whole job.",
  reward_outside_contract:
    "Counted as in Harbor. The evaluation contract rejects them; see their Evaluation tab.",
  job_without_result: "Trials were read; there are no recorded figures to compare.",
  job_without_trials: "Recorded figures are shown but cannot be checked. Copy the trial folders too.",
  trials_without_job:
    "Grouped into jobs by the job id in their configs, otherwise by folder and agent settings.",
  folder_shared: "Shown as separate jobs, by the job id in each trial.",
  group_key_differs: "Matched by trial names. Agent and model are those of the trials.",
  link_repeated: "Not followed, so that no trial counts twice. Delete the link, or open its target.",
  job_id_repeated: "They share no trial, so both count. Correct the id of one.",
  trial_id_repeated: "Each trial counts once. Delete the copied trial folders.",
  layout_foreign: "Left out, since guessing could misread it.",
  no_jobs_found: "Open the folder that holds the jobs.",
  scanner_stopped: "Simplify its regular expressions, or search for less.",
};
