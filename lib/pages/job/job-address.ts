import { parseAsStringLiteral } from "nuqs/server";

import {
  JOB_TABS,
  JUDGMENT_FILTERS,
  TASK_PATTERNS,
  TASK_SORTS,
  VERIFIER_FILTERS,
} from "@/lib/core/domain/job-filter";
import { FLIPS } from "@/lib/core/domain/lineage";
import { ROLLUPS, RUBRIC_FITS, RUBRIC_SORTS } from "@/lib/core/domain/rubric";
import { OUTCOMES } from "@/lib/core/domain/trial";
import { FIGURE_KINDS, VERDICTS } from "@/lib/core/domain/verification";
import { TRIAL_SORTS } from "@/lib/core/fields/trials.fields";
import { FAILURE_CLASSES } from "@/lib/core/triage/classes";

import { createAddress } from "../address/address";
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
} from "../address/values";

/** Values of a job page, and of the list of all jobs' trials. Empty lists, empty texts and open ranges mean no filter. */
const PARSERS = {
  tab: oneOf(JOB_TABS),
  text,
  patterns: someOf(TASK_PATTERNS),
  outcomes: someOf(OUTCOMES),
  exceptions: names,
  failureClasses: someOf(FAILURE_CLASSES),
  clusters: names,
  agents: names,
  isWithoutReference: flag("none"),
  evidence: text,
  /** Task digests. Trials without a recorded digest match too. */
  digests: names,
  jobs: names,
  runSets: names,
  groups: names,
  tasks: names,
  scanners: names,
  judgments: someOf(JUDGMENT_FILTERS),
  tags: names,
  verifier: someOf(VERIFIER_FILTERS, { unsteady: "nondeterministic" }),
  flips: someOf(FLIPS),
  verdicts: someOf(VERDICTS),
  kinds: someOf(FIGURE_KINDS),
  rewardKey: name,
  rewardMin: number,
  rewardMax: number,
  /** US dollars. */
  costMin: number,
  costMax: number,
  minutesMin: number,
  minutesMax: number,
  /** Trials that ended at or after this time, ms since 1970-01-01. */
  endedFrom: number,
  /** Path of a figure: only the trials behind it. */
  figure: name,
  family: name,
  versus: names,
  /** Other source of dimensions: a job's key, or a run set as on the compare page. */
  beside: names,
  /** Run set that replaces this job, one of its runs, in the tab of dimensions. */
  pooled: names,
  /** Filters trials by their share of this dimension, see {@link readDimension}. */
  dimension: name,
  shareMin: number,
  shareMax: number,
  shareBelow: number,
  isShareMissing: flag("1"),
  fits: someOf(RUBRIC_FITS),
  /** Rubric strategy to try; null for the one behind most stored rewards. */
  rollup: parseAsStringLiteral(ROLLUPS),
  sort: parseAsStringLiteral([...TASK_SORTS, ...TRIAL_SORTS, ...RUBRIC_SORTS]),
  descending: direction,
  columns,
  allKeys: flag("all"),
  asTable: flag("table"),
  asNumbers: flag("table"),
  isDivided: flag("split"),
  /** Also searches the files of trials that the index covers only in part. */
  isInFull: flag("full"),
  isOfAllJobs: flag("all"),
  groupsFrom: wholeFrom(0).withDefault(0),
  dimensionsFrom: wholeFrom(0).withDefault(0),
  issuesFrom: wholeFrom(0).withDefault(0),
  page: pageNumber,
} as const;

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

export function nameJobValue(value: keyof typeof PARSERS): string {
  return (NAMES as Partial<Record<keyof typeof PARSERS, string>>)[value] ?? value;
}
