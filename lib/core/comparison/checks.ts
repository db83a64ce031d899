import { compareText } from "@/lib/core/domain/compare-text";
import { SCORING_WORDS } from "@/lib/core/domain/scoring-choice";
import { formatDifference } from "@/lib/core/format/agent-settings";
import { formatPlural } from "@/lib/core/format/number";

import type { ComparabilityCheck } from "./comparability-check";
import { checkCopies } from "./copies-check";
import { checkEnvironments, joinFacts } from "./environment-checks";
import type { NamedRuns } from "./run";
import { checkOrder } from "./sides";
import { groupByTask, readRewardAt } from "./trials";
import type { ComparedTrial } from "./trials";

export function checkComparability(
  groups: readonly NamedRuns[],
  commonTasks: readonly string[],
  nUnion: number,
  key: string,
): readonly ComparabilityCheck[] {
  return [
    checkTasks(commonTasks.length, nUnion, "group"),
    checkScoring(groups),
    checkDigests(
      groups.flatMap(({ trials }) => trials),
      commonTasks,
      "groups",
    ),
    checkAttempts(groups, commonTasks),
    checkMissing(groups, key),
    checkUnfinished(groups),
    checkSettings(groups),
    checkHarbor(groups),
    ...checkOrder(groups),
    ...checkCopies(groups.map(({ label, trials }) => ({ name: label, trials }))),
    ...checkEnvironments(
      groups.map(joinFacts),
      groups.map(({ label }) => label),
    ),
  ];
}

export function checkTasks(nCommon: number, nUnion: number, side: "group" | "run"): ComparabilityCheck {
  const isSame = nCommon === nUnion;
  const detail = `${isSame ? "All" : `${String(nCommon)} of`} ${String(nUnion)} tasks are in every ${side}.`;
  return { name: "tasks", state: isSame ? "same" : "differs", detail };
}

/** Scores under different rules cover different trials. */
function checkScoring(groups: readonly NamedRuns[]): ComparabilityCheck {
  const name = "scoring rule";
  const chosen = groups[0]?.scoring;
  if (chosen !== undefined)
    return { name, state: "same", detail: `One rule for all groups: ${SCORING_WORDS[chosen]}.` };
  const byRule = Map.groupBy(
    groups.flatMap(({ label, runs }) => runs.map(({ job }) => ({ label, rule: job.scoringRule }))),
    ({ rule }) => rule,
  );
  const rules = [...byRule].toSorted(([a], [b]) => compareText(a, b));
  const [first, ...others] = rules;
  if (first === undefined || others.length === 0)
    return { name, state: "same", detail: `All jobs: ${SCORING_WORDS[first?.[0] ?? "recorded"]}.` };
  const parts = rules.map(
    ([rule, runs]) => `${SCORING_WORDS[rule]}: ${[...new Set(runs.map(({ label }) => label))].join(", ")}.`,
  );
  return { name, state: "differs", detail: `${parts.join(" ")} Choose one scoring rule for all.` };
}

export function checkDigests(
  trials: readonly ComparedTrial[],
  tasks: readonly string[],
  sides: "groups" | "runs",
): ComparabilityCheck {
  const name = "task digests";
  const byTask = groupByTask(trials);
  const digests = tasks.map((task) => new Set((byTask.get(task) ?? []).map(({ taskDigest }) => taskDigest)));
  const nDiffering = digests.filter((own) => own.size > (own.has(null) ? 2 : 1)).length;
  const changed = `${formatPlural(nDiffering, "task")} changed between the ${sides}.`;
  if (nDiffering > 0) return { name, state: "differs", detail: changed };
  const nUnknown = digests.filter((own) => own.has(null)).length;
  return nUnknown > 0 || tasks.length === 0
    ? { name, state: "unknown", detail: `${formatPlural(nUnknown, "task")} without a recorded digest.` }
    : { name, state: "same", detail: `Every common task has the same files in all ${sides}.` };
}

function describePerGroup(groups: readonly NamedRuns[], describe: (group: NamedRuns) => string): string {
  return groups.map((group) => `${group.label} ${describe(group)}`).join(", ");
}

function checkAttempts(groups: readonly NamedRuns[], tasks: readonly string[]): ComparabilityCheck {
  const counts = groups.map(({ trials }) => {
    const byTask = groupByTask(trials.filter((trial) => trial.state === "finished"));
    return tasks.map((task) => byTask.get(task)?.length ?? 0);
  });
  const name = "attempts";
  const [first = 0, ...others] = new Set(counts.flat());
  if (others.length === 0)
    return { name, state: "same", detail: `${formatPlural(first, "attempt")} at every common task.` };
  const ranges = counts.map((own) => [...new Set([Math.min(...own), Math.max(...own)])].join(" to "));
  const detail = groups.map(({ label }, at) => `${label} ${ranges[at] ?? ""}`).join(", ");
  return { name, state: "differs", detail: `Attempts per task: ${detail}.` };
}

function checkNone(
  groups: readonly NamedRuns[],
  words: { readonly name: string; readonly none: string; readonly some: string },
  isWrong: (trial: ComparedTrial) => boolean,
): ComparabilityCheck {
  const { name, none, some } = words;
  const count = ({ trials }: NamedRuns) => trials.filter(isWrong).length;
  if (groups.every((group) => count(group) === 0)) return { name, state: "same", detail: none };
  const detail = `${some}: ${describePerGroup(groups, (group) => String(count(group)))}.`;
  return { name, state: "differs", detail };
}

function checkMissing(groups: readonly NamedRuns[], key: string): ComparabilityCheck {
  const none = "Every finished attempt has a reward.";
  return checkNone(
    groups,
    { name: "missing rewards", none, some: "Without a reward" },
    (trial) => trial.state === "finished" && readRewardAt(trial, key) === null,
  );
}

function checkUnfinished(groups: readonly NamedRuns[]): ComparabilityCheck {
  const words = { name: "finished", none: "Every attempt has a result.", some: "Without a result" };
  return checkNone(groups, words, (trial) => trial.state !== "finished");
}

/** Agents are meant to differ, so their settings, versions included, must be equal only within each group. */
function checkSettings(groups: readonly NamedRuns[]): ComparabilityCheck {
  const versions = (group: NamedRuns) => [
    ...new Set(group.trials.flatMap((trial) => trial.agentVersion ?? [])),
  ];
  const mixed = groups.flatMap(({ label, runs }) => {
    const differences = runs.flatMap(({ setups }) => setups?.differences ?? []);
    return differences.length === 0 ? [] : `${label} mixes ${differences.map(formatDifference).join("; ")}`;
  });
  const name = "same agent settings in a group";
  if (mixed.length > 0) {
    return { name, state: "differs", detail: `${mixed.join(", ")}.` };
  }
  const silent = groups.filter((group) => versions(group).length === 0);
  return silent.length > 0
    ? { name, state: "unknown", detail: `Not recorded for ${silent.map(({ label }) => label).join(", ")}.` }
    : { name, state: "same", detail: `${describePerGroup(groups, (g) => versions(g).join(" and "))}.` };
}

function checkHarbor(groups: readonly NamedRuns[]): ComparabilityCheck {
  const jobs = groups.flatMap(({ runs }) => runs.map(({ job }) => job));
  const versions = jobs.map(({ harborVersion }) => harborVersion);
  const known = new Set(versions.filter((version) => version !== null));
  const sameJob = new Set(jobs.map(({ key }) => key)).size === 1;
  const name = "Harbor version";
  if (known.size > 1) return { name, state: "differs", detail: `Run by Harbor ${[...known].join(" and ")}.` };
  if (sameJob) return { name, state: "same", detail: "All groups ran in one job." };
  return versions.includes(null)
    ? { name, state: "unknown", detail: "Not recorded by every job." }
    : { name, state: "same", detail: `All ran by Harbor ${[...known].join("")}.` };
}
