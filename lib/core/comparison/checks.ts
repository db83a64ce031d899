import { compareText } from "@/lib/core/domain/compare-text";
import type { EnvironmentFacts } from "@/lib/core/domain/environment";
import { SCORING_WORDS } from "@/lib/core/domain/scoring-choice";
import { sumBy } from "@/lib/core/domain/sum-by";
import { formatDifference, formatSettingValue, formatSettingName } from "@/lib/core/format/agent-settings";
import { formatPlural } from "@/lib/core/format/number";

import type { NamedRuns, ComparedRun } from "./run";
import { findStart, type Sided } from "./sides";
import { groupByTask, readRewardAt, type ComparedTrial } from "./trials";

/** `unknown`: the files do not record it. */
export interface ComparabilityCheck {
  readonly name: string;
  readonly state: "same" | "differs" | "unknown";
  readonly detail: string;
}

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

function checkTasks(nCommon: number, nUnion: number, side: "group" | "run"): ComparabilityCheck {
  const isSame = nCommon === nUnion;
  const detail = `${isSame ? "All" : `${nCommon} of`} ${nUnion} tasks are in every ${side}.`;
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

function checkDigests(
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

export function checkOrder(
  groups: readonly (Sided & { readonly label: string })[],
): readonly ComparabilityCheck[] {
  const undated = groups.filter((group) => findStart(group) === Infinity).map(({ label }) => label);
  const [baseline] = groups;
  if (undated.length === 0 || baseline === undefined) return [];
  const detail = `No start recorded for ${undated.join(", ")}. The baseline is ${baseline.label}.`;
  return [{ name: "order in time", state: "unknown", detail }];
}

export const POSSIBLE_COPIES = "possible copies";
/**
 * Independent attempts hardly ever have equal durations to the millisecond and equal token counts: no task did in 237 pairs of
 * real runs. Equal rewards are no evidence, since consistent agents repeat them.
 */
const LEAST_SHARE = 0.9;
const LEAST_TASKS = 5;
const MOST_NAMED = 3;

interface Side {
  readonly name: string;
  readonly trials: readonly ComparedTrial[];
}

export function checkCopies(sides: readonly Side[]): readonly ComparabilityCheck[] {
  const counts = sides.map(({ trials }) => sumBy(trials.filter(isTelling), ({ taskName }) => taskName));
  const found = [...countShared(sides)].flatMap(([pair, shared]) => {
    const [a = 0, b = 0] = pair.split(" ").map(Number);
    const fewest = [...(counts[a] ?? [])].flatMap(([task, count]) => {
      const other = counts[b]?.get(task);
      return other === undefined ? [] : [[task, Math.min(count, other)] as const];
    });
    const nSame = fewest.filter(([task, count]) => (shared.get(task) ?? 0) >= count).length;
    const isCopy = fewest.length >= LEAST_TASKS && nSame >= LEAST_SHARE * fewest.length;
    const figures = `${nSame} of ${fewest.length}`;
    return isCopy ? `${sides[a]?.name ?? ""} and ${sides[b]?.name ?? ""} on ${figures} tasks` : [];
  });
  if (found.length === 0) return [];
  const rest =
    found.length > MOST_NAMED ? `, and ${formatPlural(found.length - MOST_NAMED, "more pair")}` : "";
  const detail = `Same reward, duration and tokens: ${found.slice(0, MOST_NAMED).join(", ")}${rest}.`;
  return [{ name: POSSIBLE_COPIES, state: "differs", detail }];
}

function isTelling({ durationMs, nTokens, rewards }: ComparedTrial): boolean {
  return durationMs !== null && nTokens !== null && rewards.size > 0;
}

function countShared(sides: readonly Side[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const all = sides.flatMap(({ trials }, side) =>
    trials.filter(isTelling).map((trial) => ({ ...trial, side })),
  );
  const equal = Map.groupBy(all, ({ taskName, rewards, durationMs, nTokens }) =>
    JSON.stringify([taskName, [...rewards], durationMs, nTokens]),
  );
  const shared = new Map<string, Map<string, number>>();
  for (const attempts of equal.values()) {
    const bySide = [...Map.groupBy(attempts, ({ side }) => side).values()];
    for (const [at, own] of bySide.entries())
      for (const others of bySide.slice(at + 1)) {
        const [{ side, taskName } = { side: 0, taskName: "" }] = own;
        // A regrade shares its rollout, which another check reports.
        const rollouts = new Set(own.flatMap(({ rollout }) => rollout ?? []));
        if (others.some(({ rollout }) => rollout !== null && rollouts.has(rollout))) continue;
        const pair = `${side} ${others[0]?.side}`;
        const counts = shared.get(pair) ?? new Map<string, number>();
        const count = (counts.get(taskName) ?? 0) + Math.min(own.length, others.length);
        shared.set(pair, counts.set(taskName, count));
      }
  }
  return shared;
}

/** Values equivalent to a config that omits the fact. */
const DEFAULTS: ReadonlySet<string> = new Set(["null", "[]", "{}", '"auto"']);
const COMMIT_CHARS = 12;

/**
 * Returns a check for each fact that differs, else one for all of them. A fact that one side does not record is no difference.
 * @param labels - names of the groups; empty for runs of one set, which differ as soon as they record two values
 */
export function checkEnvironments(
  sides: readonly EnvironmentFacts[],
  labels: readonly string[] = [],
): readonly ComparabilityCheck[] {
  const names = labels.length === 0 ? listMixedFacts(sides) : listDifferingFacts(sides);
  const differing = names.map((name): ComparabilityCheck => {
    const parts = listValues(sides, name).map((value) => {
      const own = labels.filter((_, at) => sides[at]?.get(name)?.includes(value));
      return `${formatFact(name, value)}${own.length === 0 ? "" : `: ${own.join(", ")}`}`;
    });
    return { name, state: "differs", detail: `${parts.join(labels.length === 0 ? " or " : "; ")}.` };
  });
  return differing.length > 0 ? differing : [checkRecorded(sides)];
}

function checkRecorded(sides: readonly EnvironmentFacts[]): ComparabilityCheck {
  const name = "environment";
  const facts = new Map(sides.flatMap((side) => [...side]));
  if (facts.size === 0) return { name, state: "unknown", detail: "Not recorded." };
  const set = [...facts].filter(([, values]) => !values.every((value) => DEFAULTS.has(value)));
  const partly = set.filter(([fact]) => !sides.every((side) => side.has(fact))).map(([fact]) => fact);
  if (partly.length > 0)
    return { name, state: "unknown", detail: `Not recorded by all: ${partly.join(", ")}.` };
  const texts = set.map(([fact, values]) => `${fact} ${formatValues(fact, values)}`);
  return { name, state: "same", detail: `${texts.join(", ") || "Defaults"}.` };
}

export function listDifferingFacts(sides: readonly EnvironmentFacts[]): readonly string[] {
  return listMixedFacts(sides).filter(
    (name) => new Set(sides.flatMap((side) => listValues([side], name).join("\n") || [])).size > 1,
  );
}

function listMixedFacts(sides: readonly EnvironmentFacts[]): readonly string[] {
  const names = new Set(sides.flatMap((side) => [...side.keys()]));
  return [...names].filter((name) => listValues(sides, name).length > 1);
}

function listValues(sides: readonly EnvironmentFacts[], name: string): readonly string[] {
  return [...new Set(sides.flatMap((side) => side.get(name) ?? []))].toSorted(compareText);
}

export function joinFacts({ contents }: Pick<NamedRuns, "contents">): EnvironmentFacts {
  const sides = contents.map(({ environment }) => environment);
  const names = new Set(sides.flatMap((side) => [...side.keys()]));
  return new Map(Array.from(names, (name) => [name, listValues(sides, name)]));
}

export function readFact(group: NamedRuns, name: string): string | null {
  const values = joinFacts(group).get(name);
  return values === undefined ? null : formatValues(name, values);
}

function formatValues(name: string, values: readonly string[]): string {
  return values.map((value) => formatFact(name, value)).join(" and ");
}

function formatFact(name: string, value: string): string {
  const text = value === "null" ? "not set" : formatSettingValue(value);
  return name === "Harbor commit" ? text.slice(0, COMMIT_CHARS) : text;
}

const STATED: Readonly<Record<string, (run: ComparedRun) => string | null>> = {
  "agent and model": ({ group: { agent, model } }) => (model === null ? agent : `${agent} ${model}`),
  dataset: ({ group: { source } }) => source ?? "none",
  "Harbor version": ({ job }) => job.harborVersion,
  retries: ({ job }) => job.maxRetries?.toString() ?? null,
};

/**
 * Checks that the runs of a set are equal: tasks and their files, agent, model and settings, Harbor with its retries and timeouts.
 * Differences come first, then unrecorded conditions. Empty for a single run.
 */
export function checkRuns(group: NamedRuns): readonly ComparabilityCheck[] {
  if (group.runs.length < 2) return [];
  const { runs, contents } = group;
  const sets = contents.map((run) => new Set(run.trials.map(({ taskName }) => taskName)));
  const tasks = new Set(sets.flatMap((set) => [...set]));
  const nCommon = [...tasks].filter((task) => sets.every((set) => set.has(task))).length;
  const trials = contents.flatMap((run) => run.trials);
  const versions = contents.map((run) => listVersions(run.trials));
  const checks = [
    checkTasks(nCommon, tasks.size, "run"),
    checkDigests(trials, [...tasks], "runs"),
    ...checkCopies(contents.map((run, at) => ({ name: runs[at]?.job.name ?? "", trials: run.trials }))),
    ...Object.entries(STATED).map(([name, read]) => checkValues(name, runs.map(read))),
    checkValues("agent version", versions),
    ...checkRunSettings(group),
    ...checkEnvironments(contents.map(({ environment }) => environment)),
  ];
  const order = { differs: 0, unknown: 1, same: 2 } as const;
  return checks.toSorted((a, b) => order[a.state] - order[b.state]);
}

export function markMixed<T extends NamedRuns>(group: T): T {
  const differing = checkRuns(group).filter(({ state }) => state === "differs");
  if (differing.length === 0) return group;
  const isMixed = differing.some(({ name }) => name !== POSSIBLE_COPIES);
  const mark = ` (${isMixed ? "runs differ" : POSSIBLE_COPIES})`;
  const full = group.fullName === undefined ? {} : { fullName: `${group.fullName}${mark}` };
  return { ...group, label: `${group.label}${mark}`, ...full };
}

function listVersions(trials: NamedRuns["trials"]): string | null {
  const versions = [...new Set(trials.flatMap(({ agentVersion }) => agentVersion ?? []))];
  return versions.length === 0 ? null : versions.toSorted().join(" and ");
}

function checkValues(name: string, values: readonly (string | null)[]): ComparabilityCheck {
  const known = [...new Set(values.filter((value) => value !== null))];
  if (known.length > 1) return { name, state: "differs", detail: `${known.join(" or ")}.` };
  const nUnknown = values.filter((value) => value === null).length;
  return nUnknown > 0
    ? { name, state: "unknown", detail: `Not recorded by ${formatPlural(nUnknown, "run")}.` }
    : { name, state: "same", detail: `${known.join("")}.` };
}

function checkRunSettings({ contents }: NamedRuns): readonly ComparabilityCheck[] {
  const known = contents.flatMap(({ settings }) => settings ?? []);
  const names = [...new Set(known.flatMap((settings) => [...settings.keys()]))].toSorted();
  const differing = names.flatMap((name): ComparabilityCheck[] => {
    const values = new Set(known.flatMap((settings) => [...(settings.get(name) ?? [null])]));
    if (values.size < 2) return [];
    const detail = `${[...values].map(formatSettingValue).join(" or ")}.`;
    return [{ name: formatSettingName(name), state: "differs", detail }];
  });
  if (differing.length > 0) return differing;
  const nUnknown = contents.length - known.length;
  if (nUnknown > 0)
    return [
      {
        name: "agent settings",
        state: "unknown",
        detail: `Not recorded by ${formatPlural(nUnknown, "run")}.`,
      },
    ];
  const detail =
    names.length === 0 ? "None is set." : "The same in all runs, including timeouts that are set.";
  return [{ name: "agent settings", state: "same", detail }];
}
