import { parseAsStringLiteral } from "nuqs/server";

import {
  JOB_TABS,
  JUDGMENT_FILTERS,
  TASK_PATTERNS,
  TASK_SORTS,
  TRIAL_SORTS,
  VERIFIER_FILTERS,
} from "@/lib/domain/job-filter";
import { FLIPS } from "@/lib/domain/lineage";
import { ROLLUPS, RUBRIC_FITS, RUBRIC_SORTS } from "@/lib/domain/rubric";
import { OUTCOMES } from "@/lib/domain/trial";
import { FIGURE_KINDS, VERDICTS } from "@/lib/domain/verification";
import { FAILURE_CLASSES } from "@/lib/triage/classes";
import { createAddress } from "./address";
import {
  columns,
  direction,
  flag,
  name,
  names,
  number,
  oneOf,
  pageNumber,
  someOf,
  text,
  wholeFrom,
} from "./values";

/** What the address of a job page, or of all jobs' trials, may say. Empty lists and texts and open ranges mean no filter. */
const PARSERS = {
  tab: oneOf(JOB_TABS),
  text,
  patterns: someOf(TASK_PATTERNS),
  outcomes: someOf(OUTCOMES),
  exceptions: names,
  /** Why trials did not pass. */
  failureClasses: someOf(FAILURE_CLASSES),
  /** Keys of clusters of failures. */
  clusters: names,
  agents: names,
  /** Whether trials of `oracle` and `nop`, which solve no task, are left out. */
  isWithoutReference: flag("none"),
  /** Found in the evidence of why trials did not pass. */
  evidence: text,
  /** Digests of tasks: trials of these versions, and of none that is stated. */
  digests: names,
  /** Keys of jobs; in the list of all jobs' trials alone. */
  jobs: names,
  /** Ids of saved run sets; there too. */
  runSets: names,
  /** Evals group keys. */
  groups: names,
  tasks: names,
  /** Ids of scanners that found something. */
  scanners: names,
  judgments: someOf(JUDGMENT_FILTERS),
  /** Categories of error tags. */
  tags: names,
  verifier: someOf(VERIFIER_FILTERS, { unsteady: "nondeterministic" }),
  /** What a regrade did to a trial's reward. */
  flips: someOf(FLIPS),
  verdicts: someOf(VERDICTS),
  kinds: someOf(FIGURE_KINDS),
  /** Reward key that the reward column, filter and sort mean; null is the headline. */
  rewardKey: name,
  rewardMin: number,
  rewardMax: number,
  /** US dollars. */
  costMin: number,
  costMax: number,
  minutesMin: number,
  minutesMax: number,
  /** Trials that ended at this time or later, ms since 1970-01-01. */
  endedFrom: number,
  /** Path of a figure: only the trials behind it. */
  figure: name,
  /** Family of tasks whose dimensions are shown, or whose trials are listed; null for all of them. */
  family: name,
  /** The two groups whose difference the overview of dimensions shows; else the first two. */
  versus: names,
  /** What has its dimensions beside those of this job: the key of a job, or a run set as the compare page names it. */
  beside: names,
  /** The run set that stands in the place of this job, one of its runs, in the tab of dimensions. */
  pooled: names,
  /** Name of a dimension: only trials by their share of it, see {@link readDimension}. */
  dimension: name,
  shareMin: number,
  shareMax: number,
  shareBelow: number,
  isShareMissing: flag("1"),
  /** Whether a reward follows from its own dimensions. */
  fits: someOf(RUBRIC_FITS),
  /** Strategy of a rubric to try; null for that by which most stored rewards follow. */
  rollup: parseAsStringLiteral(ROLLUPS),
  sort: parseAsStringLiteral([...TASK_SORTS, ...TRIAL_SORTS, ...RUBRIC_SORTS]),
  descending: direction,
  columns,
  /** Whether the groups table shows every reward key, not only the headline. */
  allKeys: flag("all"),
  /** Whether dimensions are shown as counts instead of drawings. */
  asTable: flag("table"),
  /** Whether the overview of dimensions is shown as numbers instead of drawings. */
  asNumbers: flag("table"),
  /** Whether groups whose agent settings differ are divided by them. */
  isDivided: flag("split"),
  /** True to also search the files of trials that the index covers in part. */
  isInFull: flag("full"),
  /** In the name of a list: it is that of the trials of all jobs. */
  isOfAllJobs: flag("all"),
  /** 0-based first group that has a row and a column of its own. */
  groupsFrom: wholeFrom(0).withDefault(0),
  /** 0-based first dimension of the family that is shown. */
  dimensionsFrom: wholeFrom(0).withDefault(0),
  /** 0-based first load issue of the job that is shown. */
  issuesFrom: wholeFrom(0).withDefault(0),
  page: pageNumber,
} as const;

/** Names in the address, where they differ from those in the code. */
const NAMES = {
  text: "q",
  patterns: "pattern",
  outcomes: "outcome",
  exceptions: "exception",
  failureClasses: "class",
  clusters: "cluster",
  agents: "agent",
  isWithoutReference: "reference",
  digests: "digest",
  jobs: "job",
  runSets: "set",
  groups: "group",
  tasks: "task",
  scanners: "scanner",
  judgments: "judgment",
  tags: "tag",
  flips: "flip",
  verdicts: "verdict",
  kinds: "kind",
  rewardKey: "key",
  rewardMin: "min",
  rewardMax: "max",
  costMin: "cost_min",
  costMax: "cost_max",
  minutesMin: "time_min",
  minutesMax: "time_max",
  endedFrom: "ended_from",
  beside: "with",
  pooled: "pool",
  dimension: "dim",
  shareMin: "dim_min",
  shareMax: "dim_max",
  shareBelow: "dim_below",
  isShareMissing: "dim_missing",
  fits: "fit",
  descending: "dir",
  allKeys: "keys",
  asTable: "as",
  asNumbers: "overview",
  isDivided: "settings",
  isInFull: "search",
  isOfAllJobs: "jobs",
  groupsFrom: "groups_from",
  dimensionsFrom: "dims_from",
  issuesFrom: "issues_from",
} as const;

export const jobAddress = createAddress(PARSERS, NAMES);

/** What a value is called in the address. */
export function nameJobValue(value: keyof typeof PARSERS): string {
  return (NAMES as Partial<Record<keyof typeof PARSERS, string>>)[value] ?? value;
}
