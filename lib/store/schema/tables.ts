import type { Generated, Selectable } from "kysely";

import type {
  DimensionTable,
  FamilyTable,
  ReportTable,
  SuspicionTable,
  TagTable,
  TrialCheckTable,
  TrialDimensionTable,
  TrialTagTable,
} from "./findings-tables";

/** Key and value of facts about the index as a whole. */
interface MetaTable {
  name: string;
  value: string;
}

interface RootTable {
  position: number;
  label: string;
  path: string;
}

/** One folder that was found: a job folder, or trial folders without one. */
interface SourceTable {
  id: Generated<number>;
  root: number;
  folder: string;
  kind: string;
  /** `listed` until its trials were read. */
  state: string;
  /** What `describeSource` of lib/loader says; empty while only listed. */
  fingerprint: string;
}

/** Beside a source that was read: what the next reading needs to know of its trials, which scans have no use for. */
interface SourceTrialsTable {
  source_id: number;
  /** What `describeTrials` of lib/loader says. */
  description: string;
}

/** One job, several where jobs share a folder (`part` 0 is the folder's own). Columns are what lists filter and sort by. */
interface JobTable {
  id: Generated<number>;
  source_id: number;
  part: number;
  version: number;
  key: string;
  name: string;
  name_sort: string;
  uuid: string | null;
  state: string;
  /** A `JobPurpose` of lib/domain. */
  purpose: string;
  verdict: string;
  n_trials: number;
  n_mismatched: number;
  n_exceptions: number;
  best_mean: number | null;
  cost_usd: number | null;
  when_ms: number | null;
  /** Lower-case names that the text filter looks through, tasks excepted. */
  search: string;
  /** The key in lower case, for the text filter. */
  key_search: string;
  /** Other keys it is found by, each between line feeds, so that links survive when a namesake comes or goes. */
  aliases: string;
  /** An encoded `JobHead` without id, version, key, groups and `hasFindings`. */
  head: string;
  /** 1 once the files of its trials were read for findings, as they were when its results were read. */
  has_findings: number;
}

interface GroupTable {
  job_id: number;
  position: number;
  key: string;
  agent: string;
  model: string | null;
  source: string | null;
  n_trials: number;
  n_tasks: number;
  /** An encoded `GroupSummary`. */
  summary: string;
}

/** One trial. Columns are what tables filter and sort by; the record is in {@link TrialRecordTable}. */
interface TrialTable {
  job_id: number;
  /** In directory order, from 0. */
  position: number;
  key: string;
  uuid: string | null;
  /** Id of the job that ran it, as its own config states it. */
  run_uuid: string | null;
  trial_name: string;
  task_name: string;
  /** Position of its task in {@link TaskTable}: the natural order of task names. */
  task_position: number;
  /** What `findTaskFamily` of lib/domain makes of the task. */
  family: string;
  group_key: string;
  agent: string;
  model: string | null;
  attempt: number;
  /** Part of its group with the same agent settings; null where no setting of the group is known to differ. */
  setup_key: string | null;
  /** Its number among the attempts at the task of that part, from 1. */
  setup_attempt: number | null;
  state: string;
  outcome: string;
  reward_key: string | null;
  /** Headline reward; null when there is none and for NaN. */
  reward: number | null;
  /** The headline reward as Python writes it. */
  reward_text: string | null;
  n_reward_keys: number;
  /** Of the trial, else of one of its steps, see `selectFailure` of lib/domain. */
  exception_type: string | null;
  exception_message: string | null;
  /** An `ExceptionCause` of lib/domain; null without an exception. */
  exception_cause: string | null;
  /** Step that raised the exception; null when the trial itself records it, and without one. */
  exception_step: string | null;
  cost_usd: number | null;
  n_tokens: number | null;
  duration_ms: number | null;
  started_ms: number | null;
  task_digest: string | null;
  /** Why the reward files say otherwise than result.json; null when they agree or say nothing. */
  files_differ: string | null;
  /** Task, trial and exception in lower case, for the text filter. */
  search: string;
}

interface TrialRecordTable {
  job_id: number;
  position: number;
  /** An encoded `TrialRecord`. */
  record: string;
}

/** Every reward of a trial that has several. */
interface TrialRewardTable {
  job_id: number;
  position: number;
  key: string;
  value: number | null;
  text: string;
}

/** What the files of a regraded trial state of its source; only regraded trials have a row. */
interface TrialSourceTable {
  job_id: number;
  position: number;
  /** Id of the source trial, and the folders of its job and of itself. */
  uuid: string | null;
  job_name: string | null;
  trial_name: string | null;
  source_version: string | null;
  source_digest: string | null;
  own_version: string | null;
  own_digest: string | null;
}

/** Where the source of a regraded trial is open; found once all jobs are read, so it may be of an earlier generation. */
interface TrialLinkTable {
  job_id: number;
  position: number;
  source_job_id: number;
  source_position: number;
}

/** A judgment of a trial that stands in a file of the opened folders; Assay's own are in another store. */
interface RecordedJudgmentTable {
  job_id: number;
  /** The trial's. */
  position: number;
  /** In the order of `TrialJudgmentsOnFile`, from 0. */
  ordinal: number;
  kind: string;
  judgment: string | null;
  reviewer: string | null;
  at_ms: number | null;
  /** An encoded `RecordedJudgment`. */
  record: string;
}

interface TaskTable {
  job_id: number;
  /** In the natural order of names, from 0. */
  position: number;
  task_name: string;
  search: string;
  pattern: string | null;
  n_trials: number;
  n_passed: number;
  n_ended: number;
  passed_share: number | null;
  mean_reward: number | null;
  mean_cost_usd: number | null;
  median_duration_ms: number | null;
  /** Encoded `TaskCell`s, one per group of the job. */
  cells: string;
  /** Over the groups divided by agent settings, as is `setup_cells`; null where no group of the job is divided. */
  setup_pattern: string | null;
  /** Encoded `TaskCell`s, one per part of a divided group and one per other group, in the order of the groups. */
  setup_cells: string | null;
}

interface FigureTable {
  job_id: number;
  position: number;
  kind: string;
  path: string;
  group_key: string | null;
  recorded: string | null;
  recomputed: string | null;
  verdict: string;
  /** 0 is the worst verdict. */
  severity: number;
  ulps: number | null;
  reason: string | null;
  rule: string | null;
  /** Positions of the trials behind it, joined by commas. */
  trials: string;
  search: string;
}

interface IssueTable {
  /** Null for an issue of a root. */
  job_id: number | null;
  root: number;
  position: number;
  /** `own`, `shared` for one that only the whole catalog can tell, `findings` for files that are read after all results. */
  origin: string;
  code: string;
  is_problem: number;
  path: string;
  detail: string;
  search: string;
  /** The trial it is about; null for one of the job itself. */
  trial_key: string | null;
  /** The file it is about, relative to the trial's folder or else to the job's; empty for the folder, null for what lies elsewhere. */
  file: string | null;
}

/** One row a job: by what its tasks and trials are found, in one place, since the jobs list looks through that of all jobs. */
interface JobTextTable {
  job_id: number;
  /** Names of tasks and trials and types of exceptions, a line each, in lower case. */
  search: string;
}

/** The plan of a job that has a lock.json. */
interface JobPlanTable {
  job_id: number;
  /** Encoded `PlannedTask`s. */
  plan: string;
}

/** How many rows of a job carry a value, so that lists of values to filter by cost one look-up. */
interface FacetTable {
  job_id: number;
  facet: string;
  value: string;
  count: number;
}

/** Process that keeps the index up to date; others only read. */
interface LeaseTable {
  name: string;
  holder: string;
  expires_ms: number;
}

/** The index: derived from the folders alone, and built again whenever it is missing. */
export interface IndexTables {
  meta: MetaTable;
  roots: RootTable;
  sources: SourceTable;
  source_trials: SourceTrialsTable;
  jobs: JobTable;
  groups: GroupTable;
  trials: TrialTable;
  trial_records: TrialRecordTable;
  trial_rewards: TrialRewardTable;
  trial_sources: TrialSourceTable;
  trial_links: TrialLinkTable;
  recorded_judgments: RecordedJudgmentTable;
  tasks: TaskTable;
  figures: FigureTable;
  issues: IssueTable;
  facets: FacetTable;
  job_texts: JobTextTable;
  job_plans: JobPlanTable;
  trial_dimensions: TrialDimensionTable;
  trial_tags: TrialTagTable;
  families: FamilyTable;
  reports: ReportTable;
  trial_checks: TrialCheckTable;
  suspicions: SuspicionTable;
  dimensions: DimensionTable;
  tags: TagTable;
  leases: LeaseTable;
}

/** A source as stored. */
export type SourceRow = Selectable<SourceTable>;
/** A trial's columns as stored. */
export type TrialColumns = Selectable<TrialTable>;
/** A task's columns as stored. */
export type TaskColumns = Selectable<TaskTable>;
