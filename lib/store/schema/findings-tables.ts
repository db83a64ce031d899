/** What a trial's verifier says of one dimension. Findings are read after all results, so these rows come later. */
export interface TrialDimensionTable {
  job_id: number;
  position: number;
  /** In the order in which the trial names them, from 0. */
  ordinal: number;
  name: string;
  /** 0 to 1; null when it is named without a share. */
  share: number | null;
  /** As the details state it; null when they do not. */
  weight: number | null;
}

/**
 * What the files of one trial tell of its verifier. A trial of a job whose findings were read and that has no row left
 * neither details nor an output nor a log that matters.
 */
export interface TrialCheckTable {
  job_id: number;
  position: number;
  /** 1 when the verifier left details that can be read. */
  has_details: number;
  /** SHA-256 in hex of what the agent put out; null when that is not known. */
  output_digest: string | null;
  /** Where the output lies, relative to the trial's folder. */
  output_path: string | null;
  /** Why the trial is not compared with others of the same output; null when it is. A member of a closed list. */
  uncompared: string | null;
  /** Equal for trials of the same task and output; null when the trial is not compared. */
  compare_key: string | null;
  /** Equal for trials whose rewards Python takes to be equal, all keys counted; null when the trial is not compared. */
  rewards_key: string | null;
  /** Whether the reward follows from the details, and how: a `RubricFit`; null without dimensions. */
  rubric_fit: string | null;
}

/** A trial whose verifier may have crashed, and why that is thought. */
export interface SuspicionTable {
  job_id: number;
  position: number;
  /** The verifier's log that shows it, relative to the trial's folder; null when none does. */
  log: string | null;
  /** Line of the traceback, from 1; null when the log is too long to count. */
  log_line: number | null;
  /** 1 when other trials of the task in the job have details and this one, with a reward of 0, has none. */
  lacks_details: number;
}

/** An error tag of a trial; the same category and source once. */
export interface TrialTagTable {
  job_id: number;
  position: number;
  ordinal: number;
  category: string;
  source: string;
}

/** What the report in the folder of a job of `harbor analyze` or `harbor check` says of one trial or task. */
export interface ReportTable {
  job_id: number;
  /** In the order of the report, from 0. */
  position: number;
  /** Name of the trial or of the task's folder. */
  subject: string;
  /** Encoded `StoredReport`. */
  content: string;
}

/** One family of tasks of a job whose trials state dimensions. */
export interface FamilyTable {
  job_id: number;
  /** In directory order of their first trials, from 0. */
  position: number;
  family: string;
  /** Tasks with a finished trial. */
  n_tasks: number;
  /** Finished trials, whether they state a dimension or not. */
  n_trials: number;
  /** Encoded map from a group's key to its finished trials. */
  groups: string;
  /** Encoded map from a `RubricFit` to its finished trials. */
  fits: string;
  /** Encoded map from a group's key, empty for all groups together, to its `StoredCorrelations`. */
  correlations: string;
}

/** One dimension of a family over all groups of a job. Of two families, dimensions with the same name are two. */
export interface DimensionTable {
  job_id: number;
  /** In the order of families, and in each in the order in which its trials name them, from 0. */
  position: number;
  family: string;
  name: string;
  /** Encoded `DimensionCell`s, one per group of the job. */
  cells: string;
}

/** How many trials of a group carry a tag. */
export interface TagTable {
  job_id: number;
  position: number;
  group_key: string;
  /** Empty for any category. */
  category: string;
  /** `any` for trials that have the category from whichever source. */
  source: string;
  n_trials: number;
  n_finished: number;
}
