import type { Route } from "next";

import type { TaskProblem, TaskRemedy } from "@/lib/core/domain/task-health";
import {
  formatCost,
  formatCount,
  formatPercent,
  formatPlural,
  formatRange,
  formatReward,
} from "@/lib/core/format/number";
import type { RateInterval, Unavailable } from "@/lib/core/stats";
import { newQueueHref } from "@/lib/pages/annotations/review-address";
import type { TaskAgent } from "@/lib/pages/tasks/page";
import type { Evidence, TaskHealth } from "@/lib/pages/tasks/problems";
import { trialsPageHref, type TrialsParams, writeTrialsQuery } from "@/lib/pages/trials/address";

export const PROBLEM_WORDS: Readonly<Record<TaskProblem, string>> = {
  "failed-by-oracle": "Failed by oracle",
  "solved-by-nop": "Solved by nop",
  nondeterministic: "Verifier not deterministic",
  "verifier-crashes": "Verifier crashes",
  "low-item-rest": "Low item-rest",
  "timeouts-only": "Timeouts only",
  flaky: "Flaky",
  costly: "Cost outlier",
  "never-solved": "Never solved",
  "always-solved": "Solved every time",
};

export const REMEDY_WORDS: Readonly<Record<TaskRemedy, readonly [title: string, note: string]>> = {
  wrong: ["Verifier or solution is wrong", "fix before trusting any score"],
  "measures-other": ["Unlike the other tasks", "strong runs do no better on them"],
  limits: ["Limits and noise", "the score depends on limits or on luck"],
  nothing: ["No information", "the same result in every attempt"],
};

export function describePassed(rate: RateInterval | Unavailable): string {
  if (rate.kind === "unavailable") return "no finished attempts";
  return `${formatCount(rate.count)} of ${formatPlural(rate.n, "attempt")} passed, ${formatReward(rate.rate, 2)}, 95 % interval ${formatInterval(rate)}`;
}

export function formatInterval(ends: { readonly low: number; readonly high: number }): string {
  return formatRange(ends, (value) => formatReward(value, 2));
}

export function describeEvidence(found: Evidence, task: TaskHealth, medianCostUsd: number | null): string {
  return EVIDENCE_WORDS[found.problem](found, task, medianCostUsd);
}

type Words = (found: Evidence, task: TaskHealth, medianCostUsd: number | null) => string;

const EVIDENCE_WORDS: Readonly<Record<TaskProblem, Words>> = {
  "failed-by-oracle": (found) => `the reference solution did not pass in ${countAttempts(found)}`,
  "solved-by-nop": (found) => `doing nothing passed in ${countAttempts(found)}`,
  nondeterministic: ({ n, of }) =>
    `the same output, graded ${formatCount(of)} times, passed ${n === 1 ? "once" : `${formatCount(n)} times`}`,
  "verifier-crashes": ({ n, of, value, exceptions }) => {
    const nRewarded = value ?? 0;
    const parts = [
      [n - nRewarded, "ended without a reward"] as const,
      [nRewarded, "got a reward although the verifier did not finish"] as const,
    ].flatMap(([count, words]) => (count === 0 ? [] : `${countAttempts({ n: count, of })} ${words}`));
    return [parts.join("; "), ...exceptions].join(": ");
  },
  "low-item-rest": ({ n }, { itemRest: { r, low, high } }) => {
    const interval =
      low === null || high === null ? "" : ` [${formatReward(low, 2)}, ${formatReward(high, 2)}]`;
    return `correlation ${formatReward(r, 2)}${interval} over ${formatPlural(n, "run")}`;
  },
  "timeouts-only": (found) => `${countAttempts(found)} ran out of time; none ended otherwise`,
  flaky: ({ n, of, value, isOfRuns = true }) => {
    const who = isOfRuns
      ? `${formatCount(n)} of ${formatPlural(of, "run")} ${n === 1 ? "solves" : "solve"} it sometimes`
      : of === 1
        ? "runs of the same agent end differently"
        : `runs of the same agent end differently for ${formatCount(n)} of ${formatCount(of)} agents`;
    return `${who}; two attempts end alike ${formatPercent(value)} of the time`;
  },
  costly: ({ value }, _, medianCostUsd) =>
    `median $${formatCost(value)} an attempt, median task $${formatCost(medianCostUsd)}`,
  "never-solved": (found, { rate }) => `${countAttempts(found)} passed${describeBound(rate, "high")}`,
  "always-solved": (found, { rate }) => `${countAttempts(found)} passed${describeBound(rate, "low")}`,
};

function countAttempts({ n, of }: Pick<Evidence, "n" | "of">): string {
  return `${formatCount(n)} of ${formatPlural(of, "attempt")}`;
}

function describeBound(rate: RateInterval | Unavailable, end: "low" | "high"): string {
  if (rate.kind === "unavailable") return "";
  return `, ${end === "low" ? "lower" : "upper"} bound ${formatReward(rate[end], 2)}`;
}

/** Says which reference runs exist, so that an unlisted problem is not taken for an absent one. */
export function describeReferences({ hasOracle, hasNop }: TaskHealth): string {
  if (hasOracle && hasNop) return "oracle and nop ran at this version.";
  if (!hasOracle && !hasNop) return "Neither oracle nor nop ran at this version.";
  return hasOracle ? "nop did not run at this version." : "oracle did not run at this version.";
}

export function describeNoItemRest({ reason, n }: TaskHealth["itemRest"]): string {
  if (reason === null) return "";
  return reason === "few-runs"
    ? `Not shown: ${formatPlural(n, "run")} can be compared; at least 3 are required`
    : "Not shown: the result is the same in every run";
}

export function nameAgentModel({ agent, model }: Pick<TaskAgent, "agent" | "model">): string {
  return model === null ? agent : `${agent} ${model}`;
}

/** Characters of group keys in a URL; beyond it, the URL selects all trials of the task. */
const MOST_CHARS = 600;

type Groups = readonly { readonly key: string }[];

function selectTask(taskName: string | readonly string[], groups: Groups, more: Partial<TrialsParams>) {
  const keys = [...new Set(groups.map(({ key }) => key))];
  const tasks = typeof taskName === "string" ? [taskName] : taskName;
  return { tasks, ...(keys.join().length > MOST_CHARS ? {} : { groups: keys }), ...more };
}

export function taskTrialsHref(taskName: string, groups: Groups, more: Partial<TrialsParams> = {}): Route {
  return trialsPageHref(null, selectTask(taskName, groups, more));
}

export function queueTaskHref(
  taskName: string | readonly string[],
  groups: Groups,
  more: Partial<TrialsParams> = {},
): Route {
  return newQueueHref({ list: writeTrialsQuery(selectTask(taskName, groups, more)) });
}
