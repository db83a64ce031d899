import type { LoadIssueCode } from "@/lib/domain/load-issue";

/** What Assay did about an issue of each kind, and what a reader can do. One sentence or two, for the load report. */
export const LOAD_ADVICE: Readonly<Record<LoadIssueCode, string>> = {
  folder_unreadable: "Nothing of it was read. It is looked at again by itself.",
  reading_failed:
    "Left as it was when it was last read, if ever. It is read again when its files change, and with Look again.",
  file_unreadable: "Left out. It is looked at again by itself.",
  file_empty:
    "Counted as unreadable. Wait if it is still being written, else delete it or run the trial again.",
  file_too_large: "Left out until it changes, so that nothing else has to wait. Check what wrote it.",
  too_many_values: "Left out until it changes, so that nothing else has to wait. Check what wrote it.",
  job_too_large:
    "Counted as unreadable, so that the rest can be read. Check what wrote the largest of these trials.",
  reader_stopped: "Left out until it changes, so that nothing else has to wait. Check what wrote it.",
  json_torn:
    "Counted as unreadable. Wait if it is still being written, else restore it or run the trial again.",
  text_not_utf8: "Left out. Check what wrote it; Harbor writes UTF-8.",
  field_invalid: "This field counts as unknown, the rest was read. Compare the file with what Harbor writes.",
  rewards_invalid: "The trial has no usable reward, which is not 0. Mend the verifier or its file.",
  reward_file_invalid: "Compared as an error, not as a number. Mend the verifier that wrote it.",
  result_foreign: "Left out; what lies below was read. Rename it if it is no result of Harbor.",
  run_manifest_missing:
    "Agent, model and dataset of these trials count as unknown. Copy the ledger with its _runs folder.",
  link_outside_root: "Not followed. Open the folder it leads to as a folder of its own.",
  too_deep: "Not looked into. Open a folder further down.",
  too_many_folders: "What was found until then is shown, the rest is left out. Open a folder further down.",
  groups_too_many: "Left out of lists of groups. Check what wrote the job's result.json or its trials.",
  text_too_long: "Shown cut, with its length; figures use all of it. Open the file to read the rest.",
  dimensions_too_many:
    "The rest is not counted in figures of dimensions; the trial's page has them. Check what wrote the file.",
  tags_too_many:
    "The rest is not counted in figures of error tags; the trial's page has them. Check what wrote the file.",
  trial_without_result:
    "Counted as missing, or as running while the job is alive. Harbor runs it again when it resumes.",
  trial_folder_missing:
    "Figures that need these trials cannot be checked. If they ever began, copy the whole job.",
  reward_outside_contract:
    "Counted as Harbor counts them. They have no evaluation by the contract; their Evaluation tab says so.",
  job_without_result: "Trials were read; nothing recorded can be compared.",
  job_without_trials: "Recorded figures are shown and cannot be checked. Copy the trial folders too.",
  trials_without_job:
    "Shown as jobs, by the job id that their configs name, else by their folder and the settings of their agents.",
  folder_shared: "Shown as separate jobs, told apart by the job id in each trial.",
  link_repeated: "Not followed, so that no trial counts twice. Delete the link, or open what it leads to.",
  job_id_repeated: "Both are shown. Delete one if it is a copy.",
  trial_id_repeated: "Both are shown. Delete one if it is a copy.",
  layout_foreign: "Left out, since guessing could misread it.",
  no_jobs_found: "Open the folder that holds the jobs.",
};
