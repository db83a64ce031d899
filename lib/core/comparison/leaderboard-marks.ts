import { formatDifference, formatSettingName, formatSettingValue } from "@/lib/core/format/agent-settings";
import { listNames } from "@/lib/core/format/list-names";
import { formatPlural } from "@/lib/core/format/number";

import {
  type ComparabilityCheck,
  POSSIBLE_COPIES,
  joinFacts,
  listDifferingFacts,
  readFact,
  checkRuns,
} from "./checks";
import type { NamedRuns } from "./run";
import { groupByTask, readRewardAt } from "./trials";

/** A condition of a fair comparison that a group does not meet, or that its files do not record. */
export interface LeaderboardMark extends ComparabilityCheck {
  readonly state: "differs" | "unknown";
  readonly short: string;
}

const MULTIPLIERS = "timeout multipliers";
const LONGEST_VALUE = 12;

export interface LeaderboardCondition {
  readonly name: string;
  /** The value of most groups, as text; null without a most common value, or if no file records one. */
  readonly common: string | null;
}

interface Check extends LeaderboardCondition {
  /** True if `common` is required for a fair comparison, even if most groups lack it. */
  readonly isRequired?: true;
  readonly mark: (group: NamedRuns) => readonly Omit<LeaderboardMark, "name">[];
}

export function checkConditions(
  groups: readonly NamedRuns[],
  key: string,
  nTasks: number,
): {
  readonly conditions: readonly LeaderboardCondition[];
  readonly marks: readonly (readonly LeaderboardMark[])[];
} {
  const checks: readonly Check[] = [
    makeTaskCheck(nTasks),
    makeDigestCheck(groups),
    makeCommonCheck(groups, { name: "Harbor version", short: "Harbor" }, readHarbor),
    makeCommonCheck(groups, { name: MULTIPLIERS, short: "timeouts" }, (group) =>
      readFact(group, MULTIPLIERS),
    ),
    ...listDifferingFacts(groups.map(joinFacts))
      .filter((name) => name !== MULTIPLIERS)
      .map((name) => makeCommonCheck(groups, { name, short: name }, (group) => readFact(group, name))),
    ...listTimeouts(groups).map((name) =>
      makeCommonCheck(groups, { name: formatSettingName(name), short: formatSettingName(name) }, (group) =>
        readSetting(group, name),
      ),
    ),
    makeCommonCheck(groups, { name: "attempts", short: "attempts" }, readAttempts),
    { name: "same agent settings in a group", common: "yes", isRequired: true, mark: markSettings },
    ...(groups.every(({ runs }) => runs.length === 1)
      ? []
      : [{ name: "runs of a set", common: "alike", isRequired: true as const, mark: markRuns }]),
    makeTrialCheck("missing rewards", "none", "without a reward", (trial) => {
      return trial.state === "finished" && readRewardAt(trial, key) === null;
    }),
    makeTrialCheck("finished", "all trials", "without a result", (trial) => trial.state !== "finished"),
    makeRolloutCheck(groups),
  ];
  const found = checks.map(({ name, mark }) =>
    groups.map((group) => mark(group).map((one) => ({ name, ...one }))),
  );
  const isOfMost = (at: number) =>
    (found[at] ?? []).filter((marks) => marks.length === 0).length > groups.length / 2;
  return {
    conditions: checks.map(({ name, common, isRequired = false }, at) => ({
      name,
      common: isRequired && !isOfMost(at) ? null : common,
    })),
    marks: groups.map((_, at) => {
      const marks = found.flatMap((all) => all[at] ?? []);
      return [
        ...marks.filter(({ state }) => state === "differs"),
        ...marks.filter(({ state }) => state === "unknown"),
      ];
    }),
  };
}

/** Returns the most common value; null for a tie or without any value. */
function findMost(values: Iterable<string | null>): string | null {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first, second] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first === undefined || first[1] === second?.[1] ? null : first[0];
}

function makeTaskCheck(nTasks: number): Check {
  return {
    name: "tasks",
    common: nTasks === 1 ? "the only one" : `all ${nTasks}`,
    isRequired: true,
    mark: ({ trials }) => {
      const counted = trials.filter(({ counts }) => counts);
      const own = new Set(counted.map(({ taskName }) => taskName)).size;
      const short = `${own} of ${formatPlural(nTasks, "task")}`;
      return own === nTasks
        ? []
        : [{ state: "differs", short, detail: `${short} have a trial that counts.` }];
    },
  };
}

/** Marks groups whose files of a task are not those of most groups, or that differ from any other without a most common version. */
function makeDigestCheck(groups: readonly NamedRuns[]): Check {
  const digests = new Map<string, (string | null)[]>();
  for (const { trials } of groups)
    for (const [task, own] of groupByTask(trials)) {
      const known = digests.get(task) ?? [];
      known.push(...new Set(own.map(({ taskDigest }) => taskDigest)));
      digests.set(task, known);
    }
  const isMixed = (all: readonly (string | null)[]) => new Set(all.filter((one) => one !== null)).size > 1;
  const most = new Map(
    Array.from(digests, ([task, all]) => (isMixed(all) ? [[task, findMost(all)] as const] : [])).flat(),
  );
  const mark: Check["mark"] = ({ trials }) => {
    const own = [...groupByTask(trials)];
    const isOther = ([task, attempts]: (typeof own)[number]) =>
      most.has(task) &&
      attempts.some(({ taskDigest }) => taskDigest !== null && taskDigest !== most.get(task));
    const others = own.filter(isOther);
    if (others.length > 0) {
      const short = formatPlural(others.length, "other task version");
      const isKnownMost = others.every(([task]) => most.get(task) !== null);
      const words = isKnownMost ? "are not those that most groups ran" : "differ from those of other groups";
      const detail = `The files of ${formatPlural(others.length, "task")} ${words}.`;
      return [{ state: "differs", short, detail }];
    }
    const nUnknown = own.filter(([, attempts]) =>
      attempts.some(({ taskDigest }) => taskDigest === null),
    ).length;
    const detail = `${formatPlural(nUnknown, "task")} without a recorded digest.`;
    return nUnknown === 0 ? [] : [{ state: "unknown", short: "task digests", detail }];
  };
  const isKnown = [...digests.values()].some((all) => all.some((digest) => digest !== null));
  return {
    name: "task digests",
    common: isKnown ? "one version of each task" : null,
    isRequired: true,
    mark,
  };
}

/** Marks groups whose value is not the most common one, or differs from some others if there is none. */
function makeCommonCheck(
  groups: readonly NamedRuns[],
  { name, short }: Pick<LeaderboardMark, "name" | "short">,
  read: (group: NamedRuns) => string | null,
): Check {
  const values = groups.map(read);
  const known = new Set(values.filter((value) => value !== null));
  const most = findMost(values);
  const mark: Check["mark"] = (group) => {
    const value = read(group);
    if (value === null) return [{ state: "unknown", short, detail: "Not recorded in its files." }];
    if (known.size < 2 || value === most) return [];
    const others = [...known]
      .filter((other) => other !== value)
      .toSorted()
      .join(" or ");
    const detail = `${value}, ${most === null ? `others ${others}` : `most groups ${most}`}.`;
    const isShort = value.length <= LONGEST_VALUE;
    return [{ state: "differs", short: isShort ? `${short} ${value}` : `other ${short}`, detail }];
  };
  return { name, common: most, mark };
}

function readHarbor({ runs }: NamedRuns): string | null {
  const versions = runs.map(({ job }) => job.harborVersion);
  return versions.includes(null) ? null : [...new Set(versions)].toSorted().join(" and ");
}

function readAttempts({ trials }: NamedRuns): string | null {
  const counted = trials.filter(({ counts }) => counts);
  const numbers = [...groupByTask(counted).values()].map((attempts) => attempts.length);
  if (numbers.length === 0) return null;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return low === high ? String(low) : `${low} to ${high}`;
}

function listTimeouts(groups: readonly NamedRuns[]): readonly string[] {
  const names = groups.flatMap(({ contents }) =>
    contents.flatMap(({ settings }) => [...(settings?.keys() ?? [])]),
  );
  return [...new Set(names)].filter((name) => name.toLowerCase().includes("timeout")).toSorted();
}

function readSetting({ contents }: NamedRuns, name: string): string | null {
  const known = contents.flatMap(({ settings }) => settings ?? []);
  if (known.length < contents.length) return null;
  const values = known.flatMap((settings) => [...(settings.get(name) ?? [null])]);
  return [...new Set(values)].map(formatSettingValue).toSorted().join(" and ");
}

function markSettings({ runs, contents }: NamedRuns): ReturnType<Check["mark"]> {
  const differences = runs.flatMap(({ setups }) => setups?.differences ?? []);
  if (differences.length === 0)
    return contents.every(({ settings }) => settings !== null)
      ? []
      : [{ state: "unknown", short: "settings", detail: "Not recorded in its files." }];
  const detail = `Its trials mix ${differences.map(formatDifference).join("; ")}.`;
  return [{ state: "differs", short: "mixed settings", detail }];
}

function markRuns(group: NamedRuns): ReturnType<Check["mark"]> {
  const checks = checkRuns(group);
  const differing = checks.filter(({ state }) => state === "differs");
  if (differing.length === 0) {
    const unknown = checks.filter(({ state }) => state === "unknown").map(({ name }) => name);
    return unknown.length === 0
      ? []
      : [{ state: "unknown", short: "runs", detail: `Not recorded by all runs: ${unknown.join(", ")}.` }];
  }
  const detail = differing.map(({ name, detail: found }) => `${name}: ${found}`).join(" ");
  const isMixed = differing.some(({ name }) => name !== POSSIBLE_COPIES);
  return [{ state: "differs", short: isMixed ? "runs differ" : POSSIBLE_COPIES, detail }];
}

function makeTrialCheck(
  name: string,
  common: string,
  words: string,
  isWrong: (trial: NamedRuns["trials"][number]) => boolean,
): Check {
  const mark: Check["mark"] = ({ trials }) => {
    const n = trials.filter(isWrong).length;
    if (n === 0) return [];
    const detail = `${n} of ${formatPlural(trials.length, "trial")} ${words}.`;
    return [{ state: "differs", short: `${n} ${words}`, detail }];
  };
  return { name, common, isRequired: true, mark };
}

/** Groups with trials of the same rollouts are not independent samples. */
function makeRolloutCheck(groups: readonly NamedRuns[]): Check {
  const owners = new Map<string, Set<NamedRuns>>();
  for (const group of groups)
    for (const { rollout } of group.trials) {
      if (rollout === null) continue;
      const known = owners.get(rollout);
      if (known === undefined) owners.set(rollout, new Set([group]));
      else known.add(group);
    }
  const mark: Check["mark"] = (group) => {
    const shared = group.trials.flatMap(({ rollout }) => {
      const all = rollout === null ? undefined : owners.get(rollout);
      return all === undefined || all.size < 2 ? [] : [all];
    });
    if (shared.length === 0) {
      const nUnknown = group.trials.filter(
        ({ state, rollout }) => state === "finished" && rollout === null,
      ).length;
      const detail = `${formatPlural(nUnknown, "trial")} without a recorded id.`;
      return nUnknown === 0 ? [] : [{ state: "unknown", short: "rollouts", detail }];
    }
    const others = new Set(shared.flatMap((all) => [...all]));
    others.delete(group);
    const names = Array.from(others, ({ label }) => label).toSorted();
    const detail = `Rollouts of ${formatPlural(shared.length, "trial")} are also in ${listNames(names)}.`;
    return [{ state: "differs", short: "shared rollouts", detail }];
  };
  return { name: "rollouts", common: "none shared", isRequired: true, mark };
}
