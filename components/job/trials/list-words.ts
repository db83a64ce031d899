import type { DimensionFilter } from "@/lib/core/domain/dimension-filter";
import type { JudgmentFilter, VerifierFilter } from "@/lib/core/domain/job-filter";
import { TRIAL_COLUMNS } from "@/lib/core/fields/trials.fields";
import {
  FAILURE_WORDS,
  FLIP_WORDS,
  NONDETERMINISTIC_WORDS,
  OUTCOME_WORDS,
  SUSPECT_WORDS,
} from "@/lib/core/format/words";
import type { JobParams } from "@/lib/pages/job/address";
import { readDimension } from "@/lib/pages/job/address";
import type { JobHead } from "@/lib/store/tables";

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

export function describeRange(name: string, min: number | null, max: number | null): readonly string[] {
  if (min !== null && max !== null) return [`${name} ${min} to ${max}`];
  if (min !== null) return [`${name} ≥ ${min}`];
  return max === null ? [] : [`${name} ≤ ${max}`];
}

/** Formats `ended from 2026-05-01T10:00:00Z on`. @param ms - since 1970-01-01 */
export function describeEnd(ms: number): string {
  const time = new Date(ms);
  const text = Number.isNaN(time.getTime()) ? String(ms) : time.toISOString().replace(/\.\d+Z$/, "Z");
  return `ended from ${text} on`;
}

export function describeDimension({ name, family, min, max, below, isMissing }: DimensionFilter): string {
  const of = family === null ? name : `${name} of ${family}`;
  if (isMissing) return `${of} missing`;
  if (max === 0 && below === null) return `${of} at 0`;
  if (min === 1 && below === null) return `${of} at 1`;
  if (below === null) return describeRange(of, min, max)[0] ?? `${of} stated`;
  return min === null ? `${of} < ${below}` : `${of} ${min} to below ${below}`;
}

export interface ListWords {
  readonly before: string;
  readonly behind: string;
  readonly whole: string;
}

const MOST_NAMED = 2;

export function describeTrialsList(params: JobParams, job: Pick<JobHead, "name" | "groups">): ListWords {
  const filters = listFilters(params, job);
  const way = TRIAL_COLUMNS[params.trialSort].sort[params.descending ? 1 : 0];
  const whole = [
    params.isOfAllJobs ? "all jobs" : job.name,
    ...filters,
    `by ${params.trialSort}, ${way}`,
  ].join(", ");
  return { ...nameFilter(params, filters.length), whole };
}

function nameFilter(params: JobParams, nFilters: number): Pick<ListWords, "before" | "behind"> {
  const { outcomes, exceptions, tasks, text } = params;
  if (outcomes.length > 0 && outcomes.length <= MOST_NAMED)
    return { before: `${joinWords(outcomes.map((outcome) => OUTCOME_WORDS[outcome]))} `, behind: "" };
  if (nFilters === 0) return { before: "", behind: "" };
  if (nFilters > 1) return { before: "filtered ", behind: "" };
  if (exceptions.length === 1) return { before: "", behind: ` with ${exceptions[0]}` };
  if (tasks.length === 1) return { before: "", behind: ` of ${tasks[0]}` };
  return text === "" ? { before: "filtered ", behind: "" } : { before: "", behind: ` with ${quote(text)}` };
}

function listFilters(params: JobParams, { groups }: Pick<JobHead, "groups">): readonly string[] {
  const dimension = readDimension(params);
  const nameGroup = (key: string) => {
    const group = groups.find((one) => one.group.key === key)?.group;
    return group === undefined ? key : [group.agent, group.model].filter(Boolean).join(" ");
  };
  const words = [
    params.text === "" ? "" : `with ${quote(params.text)}`,
    joinWords(params.outcomes.map((outcome) => OUTCOME_WORDS[outcome])),
    joinWords(params.exceptions),
    joinWords(params.failureClasses.map((failureClass) => FAILURE_WORDS[failureClass])),
    params.clusters.length === 0 ? "" : "of one cluster",
    params.evidence === "" ? "" : `with ${quote(params.evidence)} in their evidence`,
    joinWords(params.tasks),
    params.digests.length === 0 ? "" : "of one version of the task",
    joinWords(params.agents),
    params.endedFrom === null ? "" : describeEnd(params.endedFrom),
    params.isWithoutReference ? "without oracle and nop" : "",
    joinWords(params.jobs),
    params.runSets.length === 0 ? "" : `of ${params.runSets.length === 1 ? "a run set" : "run sets"}`,
    joinWords(params.groups.map(nameGroup)),
    joinWords(params.judgments.map((judgment) => JUDGMENT_WORDS[judgment])),
    joinWords(params.tags),
    params.scanners.length === 0 ? "" : `found by ${joinWords(params.scanners)}`,
    joinWords(params.verifier.map((doubt) => `verifier ${VERIFIER_WORDS[doubt]}`)),
    joinWords(params.flips.map((flip) => `regrade ${FLIP_WORDS[flip]}`)),
    params.figure === null ? "" : `behind ${params.figure}`,
    dimension === null ? "" : describeDimension(dimension),
    ...RANGES.flatMap(([name, min, max]) => describeRange(name.toLowerCase(), params[min], params[max])),
  ];
  return words.filter((word) => word !== "");
}

function quote(text: string): string {
  return text.includes('"') ? text : `“${text}”`;
}

function joinWords(words: readonly string[]): string {
  return words.join(" or ");
}
