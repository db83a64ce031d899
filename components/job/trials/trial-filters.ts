import type { ListName } from "@/components/ui/facets-of";
import type { DimensionFilter } from "@/lib/core/domain/dimension-filter";
import type { JudgmentFilter, VerifierFilter } from "@/lib/core/domain/job-filter";
import { TRIAL_COLUMNS } from "@/lib/core/fields/trials.fields";
import { FLIP_WORDS, NONDETERMINISTIC_WORDS, OUTCOME_WORDS, SUSPECT_WORDS } from "@/lib/core/format/words";
import { CLASSES } from "@/lib/core/triage/classes";
import { NO_DIMENSION, readDimension, type TrialsParams } from "@/lib/pages/trials/address";
import type { JobHead } from "@/lib/store/tables";

import { chipsOf, type FilteredList, type ListFilter, type ListItem } from "../filters";

export const JUDGMENT_WORDS: Readonly<Record<JudgmentFilter, string>> = {
  any: "reviewed",
  pass: "pass",
  fail: "fail",
  defer: "defer",
  mixed: "reviewers differ",
  none: "not reviewed",
  disagrees: "disagrees with the verifier",
};

export const VERIFIER_WORDS: Readonly<Record<VerifierFilter, string>> = {
  suspect: SUSPECT_WORDS.full.replace("verifier ", ""),
  nondeterministic: NONDETERMINISTIC_WORDS.replace("verifier ", ""),
};

export const RANGES = [
  ["Reward", "rewardMin", "rewardMax"],
  ["Cost, $", "costMin", "costMax"],
  ["Minutes", "minutesMin", "minutesMax"],
] as const;

/** Empty for an open range. */
function describeRange(name: string, min: number | null, max: number | null): string {
  if (min !== null && max !== null) return `${name} ${min} to ${max}`;
  if (min !== null) return `${name} ≥ ${min}`;
  return max === null ? "" : `${name} ≤ ${max}`;
}

/** Formats `ended since 2026-05-01T10:00:00Z`. @param ms - since 1970-01-01 */
function describeEnd(ms: number): string {
  const time = new Date(ms);
  const text = Number.isNaN(time.getTime()) ? String(ms) : time.toISOString().replace(/\.\d+Z$/, "Z");
  return `ended since ${text}`;
}

function describeDimension({ name, family, min, max, below, isMissing }: DimensionFilter): string {
  const of = family === null ? name : `${name} of ${family}`;
  if (isMissing) return `${of} missing`;
  if (max === 0 && below === null) return `${of} at 0`;
  if (min === 1 && below === null) return `${of} at 1`;
  if (below === null) return describeRange(of, min, max) || `${of} stated`;
  return min === null ? `${of} < ${below}` : `${of} ${min} to below ${below}`;
}

interface ListWords {
  readonly before: string;
  readonly behind: string;
  readonly whole: string;
}

const MOST_NAMED = 2;

export function describeTrialsList(params: TrialsParams, job: Pick<JobHead, "name" | "groups">): ListWords {
  const filters = TRIAL_FILTERS.map(({ sentence }) => sentence(params, job)).filter((words) => words !== "");
  const way = TRIAL_COLUMNS[params.sort].sort[params.descending ? 1 : 0];
  const whole = [params.isOfAllJobs ? "all jobs" : job.name, ...filters, `by ${params.sort}, ${way}`].join(
    ", ",
  );
  return { ...nameFilter(params, filters.length), whole };
}

function nameFilter(params: TrialsParams, nFilters: number): Pick<ListWords, "before" | "behind"> {
  const { outcomes, exceptions, tasks, text } = params;
  if (outcomes.length > 0 && outcomes.length <= MOST_NAMED)
    return { before: `${joinWords(outcomes.map((outcome) => OUTCOME_WORDS[outcome]))} `, behind: "" };
  if (nFilters === 0) return { before: "", behind: "" };
  if (nFilters > 1) return { before: "filtered ", behind: "" };
  if (exceptions.length === 1) return { before: "", behind: ` with ${exceptions[0]}` };
  if (tasks.length === 1) return { before: "", behind: ` of ${tasks[0]}` };
  return text === "" ? { before: "filtered ", behind: "" } : { before: "", behind: ` with ${quote(text)}` };
}

export interface TrialsListState extends FilteredList<TrialsParams> {
  /** Null for the list of all jobs' trials. */
  readonly jobKey: string | null;
}

interface TrialFilter extends ListFilter<TrialsParams> {
  /** Names its values in the description of a list; empty without one. */
  readonly sentence: (params: TrialsParams, job: Pick<JobHead, "groups">) => string;
}

/** Digits of a task digest that tell its versions apart. */
const DIGEST_SHOWN = 8;

/** All filters of a list of trials, in the order of its description. Those without a menu have chips. */
export const TRIAL_FILTERS: readonly TrialFilter[] = [
  { label: "Text", off: { text: "" }, sentence: ({ text }) => (text === "" ? "" : `with ${quote(text)}`) },
  several("Outcome", "outcomes", { word: (outcome) => OUTCOME_WORDS[outcome] }),
  several("Exception", "exceptions"),
  several("Failure", "failureClasses", {
    word: (failureClass) => CLASSES[failureClass].words,
    chip: (failureClass) => CLASSES[failureClass].words,
  }),
  several("Cluster", "clusters", {
    chip: (cluster) => `cluster ${cluster}`,
    sentence: () => "of one cluster",
  }),
  {
    label: "Evidence",
    off: { evidence: "" },
    chips: ({ evidence }) =>
      evidence === "" ? [] : [{ words: `evidence “${evidence}”`, without: { evidence: "" } }],
    sentence: ({ evidence }) => (evidence === "" ? "" : `with ${quote(evidence)} in their evidence`),
  },
  several("Task", "tasks", { chip: String }),
  several("Task version", "digests", {
    chip: (digest) => `task version ${digest.slice(0, DIGEST_SHOWN)}`,
    sentence: () => "of one version of the task",
  }),
  several("Agent", "agents", { chip: String }),
  single("Ended", { endedFrom: null }, ({ endedFrom }) => (endedFrom === null ? "" : describeEnd(endedFrom))),
  single("Without oracle and nop", { isWithoutReference: false }, ({ isWithoutReference }) =>
    isWithoutReference ? "without oracle and nop" : "",
  ),
  several("Job", "jobs"),
  several("Run set", "runSets", {
    sentence: ({ length }) => (length === 1 ? "of a run set" : "of run sets"),
  }),
  several("Group", "groups", {
    sentence: (groups, job) => joinWords(groups.map((key) => nameGroup(key, job))),
  }),
  several("Benchmark", "datasets", { chip: String }),
  several("Judgment", "judgments", { word: (judgment) => JUDGMENT_WORDS[judgment] }),
  several("Error tag", "tags", { chip: String }),
  several("Scanner", "scanners", { sentence: (scanners) => `found by ${joinWords(scanners)}` }),
  several("Verifier", "verifier", { word: (doubt) => `verifier ${VERIFIER_WORDS[doubt]}` }),
  several("Regrade", "flips", {
    word: (flip) => `regrade ${FLIP_WORDS[flip]}`,
    chip: (flip) => `regrade: ${FLIP_WORDS[flip]}`,
  }),
  single("Behind the figure", { figure: null }, ({ figure }) => (figure === null ? "" : `behind ${figure}`)),
  single("Dimension", NO_DIMENSION, (params) => {
    const dimension = readDimension(params);
    return dimension === null ? "" : describeDimension(dimension);
  }),
  ...RANGES.map(([name, min, max]) =>
    single(name, { [min]: null, [max]: null }, (params) =>
      describeRange(name.toLowerCase(), params[min], params[max]),
    ),
  ),
];

/** A filter by any of several values. `sentence` describes all of them if their words, joined by "or", do not. */
function several<Name extends ListName<TrialsParams>>(
  label: string,
  name: Name,
  {
    word = String,
    chip,
    sentence = (values) => joinWords(values.map(word)),
  }: {
    word?: (value: ListItem<TrialsParams[Name]>) => string;
    chip?: (value: ListItem<TrialsParams[Name]>) => string;
    sentence?: (values: readonly ListItem<TrialsParams[Name]>[], job: Pick<JobHead, "groups">) => string;
  } = {},
): TrialFilter {
  return {
    label,
    off: { [name]: [] },
    ...(chip === undefined ? {} : { chips: chipsOf<TrialsParams, Name>(name, chip) }),
    sentence: (params, job) => {
      const values = params[name] as readonly ListItem<TrialsParams[Name]>[]; // A list, by its name.
      return values.length === 0 ? "" : sentence(values, job);
    },
  };
}

/** A filter with one value, described alike in its chip and in the list's description. */
function single(
  label: string,
  off: Partial<TrialsParams>,
  sentence: (params: TrialsParams) => string,
): TrialFilter {
  return {
    label,
    off,
    sentence,
    chips: (params) => {
      const words = sentence(params);
      return words === "" ? [] : [{ words, without: off }];
    },
  };
}

function nameGroup(key: string, { groups }: Pick<JobHead, "groups">): string {
  const group = groups.find((one) => one.group.key === key)?.group;
  return group === undefined ? key : [group.agent, group.model].filter(Boolean).join(" ");
}

function quote(text: string): string {
  return text.includes('"') ? text : `“${text}”`;
}

function joinWords(words: readonly string[]): string {
  return words.join(" or ");
}
