import { lstatSync } from "node:fs";

import { collectSettings } from "@/lib/core/domain/agent-settings";
import type { JobEntry } from "@/lib/core/domain/catalog";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import { collectEnvironment } from "@/lib/core/domain/environment";
import { NOTHING_STATED } from "@/lib/core/domain/job";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { sumBy } from "@/lib/core/domain/sum-by";
import { type JobTask, groupByTask } from "@/lib/core/domain/task-labels";
import { BARE_TRIAL, type Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import { NO_COUNTS, VERDICTS } from "@/lib/core/domain/verification";
import type { Summation } from "@/lib/core/scoring";
import type { DiscoveredJob, LoadRoot } from "@/lib/read/loader";
import { toColumnText } from "@/lib/store/database";
import {
  type FacetName,
  type FoundSource,
  type GroupSummary,
  type JobContent,
  type JobHead,
  type JobRow,
  type StoredHead,
  encodeValue,
} from "@/lib/store/tables";

import { prepareIssueRows } from "./issue-rows";
import {
  type DividedGroups,
  countRegraded,
  divideGroups,
  sumCosts,
  summariseGroups,
} from "./summarise-groups";
import { makeLazily, placeTrials, prepareTaskRows, prepareTrialRows } from "./trial-rows";

export function prepareContent(
  entry: JobEntry,
  rootLabel: string,
  summation: Summation = "cpython-3.12",
  onTrial: () => void = () => undefined,
): JobContent {
  const divided = divideGroups(entry, summation);
  const groups = summariseGroups(entry, divided);
  const tasks = groupByTask(entry.trials);
  const taskRows = prepareTaskRows(tasks, entry, divided);
  const kept = limitGroups(groups);
  const head = prepareHead(entry, divided, tasks.length);
  return {
    job: prepareJobRow(entry, head, groups),
    groups: kept.map(prepareGroupRow),
    groupSettings: prepareSettingRows(entry, divided, kept),
    ...prepareTrialRows(entry, tasks, divided, onTrial),
    tasks: taskRows,
    figures: prepareFigureRows(entry),
    issues: prepareIssueRows([...entry.issues, ...describeLeftOut(entry, groups.length, kept.length)], {
      root: { index: entry.job.root, label: rootLabel },
      folder: entry.job.folder,
      trials: entry.trials,
      origin: "own",
    }),
    facets: prepareFacetRows(entry, tasks, taskRows, divided),
    jobTexts: prepareTextRows(entry),
    jobPlans: entry.job.plannedTasks.length === 0 ? [] : [{ plan: encodeValue(entry.job.plannedTasks) }],
  };
}

/** More than a job of many agents, models and datasets has; pages list all groups of a job. */
const MAX_GROUPS = 100;

function limitGroups(groups: readonly GroupSummary[]): readonly GroupSummary[] {
  if (groups.length <= MAX_GROUPS) return groups;
  const kept = new Set(groups.toSorted((a, b) => b.nTrials - a.nTrials).slice(0, MAX_GROUPS));
  return groups.filter((group) => kept.has(group));
}

function describeLeftOut({ job }: JobEntry, n: number, nKept: number): LoadIssue[] {
  if (n === nKept) return [];
  const detail = `The job has ${n.toLocaleString("en")} evals groups. The ${nKept} with the most trials are listed; the trials of all are.`;
  return [{ code: "groups_too_many", path: job.folder === "" ? job.name : job.folder, detail }];
}

function prepareTextRows({ trials }: JobEntry): Iterable<JobRow<"jobTexts">> {
  return makeLazily(function* () {
    const names = new Set<string>();
    for (const trial of trials) {
      names.add(trial.taskName).add(trial.trialName);
      const failure = selectFailure(trial);
      if (failure !== null) names.add(failure.exception.type);
    }
    // Lowercases names one by one: the whole text is one of the largest objects in memory.
    yield { search: toColumnText(Array.from(names, (name) => name.toLowerCase()).join("\n")) };
  });
}

function prepareHead(entry: JobEntry, divided: DividedGroups, nTasks: number): StoredHead {
  const { job, trials, report, path } = entry;
  const { plan: _plan, plannedTasks: _tasks, recorded, resultBytes: _bytes, log: _log, ...record } = job;
  return {
    ...record,
    hasRecordedStats: recorded !== null,
    path,
    isRead: true,
    report: { verdict: report.verdict, counts: report.counts, order: report.order },
    nTrials: trials.length,
    nTasks,
    nFigures: report.figures.length,
    nExceptionTypes: new Set(trials.flatMap((trial) => selectFailure(trial)?.exception.type ?? [])).size,
    ...sumCosts(trials),
    regraded: countRegraded(trials),
    attempts: countAttempts(entry, ({ groupKey }) => groupKey),
    setupAttempts:
      divided.places.size === 0
        ? null
        : countAttempts(entry, ({ key, groupKey }) => divided.places.get(key)?.key ?? groupKey),
    when: job.time.finishedAt ?? job.updatedAt ?? job.time.startedAt ?? findLatestEnd(entry),
    nJobMismatches: report.figures.filter(
      (figure) => figure.group === null && figure.kind !== "outcome" && figure.verdict === "mismatch",
    ).length,
    isAnyPartial: trials.some((trial) => trial.outcome === "partial"),
    recordedJudgments: {
      nJudgments: entry.recordedJudgments.reduce((sum, { judgments }) => sum + judgments.length, 0),
      nTrials: entry.recordedJudgments.length,
    },
  };
}

function prepareJobRow({ job, report }: JobEntry, head: StoredHead, groups: readonly GroupSummary[]) {
  const means = groups.flatMap(({ headline }) =>
    headline === null || Number.isNaN(headline.value) ? [] : [headline.value],
  );
  const names = [job.name, job.folder, job.uuid ?? ""];
  for (const { group } of groups) names.push(group.agent, group.model ?? "", group.source ?? "");
  return {
    name: toColumnText(job.name),
    nameSort: toColumnText(prepareNaturalKey(job.name)),
    uuid: job.uuid === null ? null : toColumnText(job.uuid),
    state: job.state,
    purpose: job.purpose,
    verdict: report.verdict,
    nTrials: head.nTrials,
    nMismatched: report.figures.filter(({ verdict }) => verdict === "mismatch").length,
    bestMean: means.length === 0 ? null : means.reduce((best, mean) => Math.max(best, mean), -Infinity),
    costUsd: Number.isNaN(head.costUsd) ? null : head.costUsd,
    whenMs: head.when?.epochMs ?? null,
    search: toColumnText([...new Set(names)].join("\n").toLowerCase()),
    head: encodeValue(head),
  };
}

/** Lower case, with numbers zero-padded, so that `run-2` sorts before `run-10`. */
function prepareNaturalKey(name: string): string {
  return name.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(12, "0"));
}

function prepareGroupRow(summary: GroupSummary, position: number): JobRow<"groups"> {
  const { key, agent, model, source } = summary.group;
  const { nTrials, nTasks } = summary;
  return { position, key, agent, model, source, nTrials, nTasks, summary: encodeValue(summary) };
}

function prepareSettingRows(
  { job, trials }: JobEntry,
  { byGroup }: DividedGroups,
  kept: readonly GroupSummary[],
): JobRow<"groupSettings">[] {
  const trialsByGroup = Map.groupBy(trials, ({ groupKey }) => groupKey);
  const wholes = kept.map(({ group: { key } }) => ({ key, trials: trialsByGroup.get(key) ?? [] }));
  const parts = wholes.flatMap(({ key }) => byGroup.get(key)?.parts ?? []);
  const rows = [...parts, ...wholes].map(({ key, trials: own }) => {
    const values = collectSettings(own);
    const settings = values && new Map(Array.from(values, ([name, all]) => [name, [...all]]));
    const environment = encodeValue(collectEnvironment(own, job));
    const row = { key, settings: encodeValue(settings), environment };
    return [toColumnText(key), row] as const;
  });
  // A key that equals that of a part belongs to the group.
  return [...new Map(rows).values()];
}

function prepareFigureRows({ report, trials }: JobEntry): Iterable<JobRow<"figures">> {
  return makeLazily(function* () {
    const positions = placeTrials(trials);
    for (const [position, { group, trialKeys, ...figure }] of report.figures.entries()) {
      const behind = trialKeys.flatMap((key) => positions.get(key) ?? []);
      yield {
        ...figure,
        position,
        groupKey: group,
        severity: VERDICTS.indexOf(figure.verdict),
        trials: JSON.stringify(behind),
        nTrials: behind.length,
        search: `${figure.path} ${figure.reason ?? ""}`.toLowerCase(),
      };
    }
  });
}

function countAttempts({ trials }: JobEntry, groupOf: (trial: Trial) => string): JobHead["attempts"] {
  if (trials.length === 0) return null;
  const groups = [...Map.groupBy(trials, groupOf).values()];
  const counts = groups.flatMap((own) => groupByTask(own).map((task) => task.trials.length));
  return counts.reduce(({ min, max }, count) => ({ min: Math.min(min, count), max: Math.max(max, count) }), {
    min: Infinity,
    max: 0,
  });
}

function findLatestEnd({ trials }: JobEntry): ClockTime | null {
  let latest: Trial | null = null;
  let latestMs = -Infinity;
  for (const trial of trials) {
    const { startedAt, finishedAt } = trial.time;
    const epochMs = (finishedAt ?? startedAt)?.epochMs ?? -Infinity;
    if (epochMs > latestMs) [latest, latestMs] = [trial, epochMs];
  }
  const { startedAt, finishedAt } = (latest ?? BARE_TRIAL).time;
  return finishedAt ?? startedAt;
}

function prepareFacetRows(
  { job, trials, report }: JobEntry,
  tasks: readonly JobTask<Trial>[],
  rows: Iterable<Pick<JobRow<"tasks">, "pattern" | "setupPattern">>,
  { places }: DividedGroups,
): readonly JobRow<"facets">[] {
  const { groups, figures, verdict } = report;
  const patterns = Array.from(rows, ({ pattern, setupPattern }) => ({ pattern, setupPattern }));
  // A job counts once per value, and so does a task, however many groups or attempts have it.
  const carried: Readonly<Record<FacetName, readonly string[]>> = {
    "job-agent": listDistinct(groups.map(({ agent }) => agent)),
    "job-model": listDistinct(groups.flatMap(({ model }) => model ?? [])),
    "job-dataset": listDistinct(groups.map(({ source }) => source ?? "adhoc")),
    "job-state": [job.state],
    "job-check": [verdict],
    "trial-outcome": trials.map(({ outcome }) => outcome),
    "trial-group": trials.map(({ groupKey }) => groupKey),
    "trial-setup": Array.from(places.values(), ({ key }) => key),
    "trial-exception": listExceptions(trials),
    "trial-reward-key": trials.flatMap(({ rewards }) => [...(rewards?.keys() ?? [])]),
    "task-pattern": patterns.flatMap(({ pattern }) => pattern ?? []),
    "task-setup-pattern": patterns.flatMap(({ setupPattern }) => setupPattern ?? []),
    "task-outcome": tasks.flatMap((task) => listDistinct(task.trials.map(({ outcome }) => outcome))),
    "task-exception": tasks.flatMap((task) => listDistinct(listExceptions(task.trials))),
    "figure-verdict": figures.map((figure) => figure.verdict),
    "figure-kind": figures.map(({ kind }) => kind),
    "figure-group": figures.flatMap(({ group }) => group ?? []),
  };
  return Object.entries(carried).flatMap(([facet, values]) =>
    Array.from(sumBy(values, toColumnText), ([value, count]) => ({
      facet: facet as FacetName, // A key of the record.
      value,
      count,
    })),
  );
}

function listDistinct(values: readonly string[]): readonly string[] {
  return [...new Set(values.map(toColumnText))];
}

function listExceptions(trials: readonly Trial[]): readonly string[] {
  return trials.flatMap((trial) => selectFailure(trial)?.exception.type ?? []);
}

/** Lists a job before its trials are read. */
export function prepareFoundSource(root: LoadRoot, discovered: DiscoveredJob): FoundSource {
  const { folder, kind, trialFolders } = discovered;
  const name = toColumnText(folder === "" ? root.label : folder.slice(folder.lastIndexOf("/") + 1));
  const time = { startedAt: null, finishedAt: null };
  const entry: JobEntry = {
    job: {
      ...{ key: name, name, root: root.index, folder, kind, purpose: "benchmark", uuid: null },
      ...{ state: "unknown", time, updatedAt: null },
      ...NOTHING_STATED,
    },
    path: folder === "" ? root.path : `${root.path}/${folder}`,
    report: {
      ...{ verdict: "not-recorded", counts: NO_COUNTS, order: "directory", figures: [], groups: [] },
      outcome: { recorded: "", recomputed: "" },
    },
    ...{ trials: [], issues: [], recordedJudgments: [] },
  };
  const head = {
    ...prepareHead(entry, { byGroup: new Map(), places: new Map() }, 0),
    isRead: false,
    nTrials: trialFolders.length,
    when: readWrittenAt(root, folder),
  };
  return { root: root.index, folder, kind, job: prepareJobRow(entry, head, []) };
}

function readWrittenAt(root: LoadRoot, folder: string): ClockTime | null {
  const path = folder === "" ? root.path : `${root.path}/${folder}`;
  const stats =
    lstatSync(`${path}/result.json`, { throwIfNoEntry: false }) ?? lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return { text: stats.mtime.toISOString(), epochMs: stats.mtimeMs, zoned: true };
}
