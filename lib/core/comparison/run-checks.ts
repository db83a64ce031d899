import { formatSettingName, formatSettingValue } from "@/lib/core/format/agent-settings";
import { formatPlural } from "@/lib/core/format/number";

import { checkDigests, checkTasks } from "./checks";
import type { ComparabilityCheck } from "./comparability-check";
import { checkCopies, POSSIBLE_COPIES } from "./copies-check";
import { checkEnvironments } from "./environment-checks";
import type { ComparedRun, NamedRuns } from "./run";

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
    ...checkSettings(group),
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

function checkSettings({ contents }: NamedRuns): readonly ComparabilityCheck[] {
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
