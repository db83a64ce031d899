import "server-only";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { computeDistribution } from "@/lib/core/stats";
import { NO_DATASET, type TaskParams } from "@/lib/pages/tasks/address";
import {
  type DatasetTrial,
  type DatasetTrials,
  type IndexStore,
  readDatasetTrials,
} from "@/lib/store/tables";

import { type Dataset, listDatasets } from "../datasets/list";
import { type IdentityOf, getCached, getIdentityOf, getStore } from "../shell/catalog";
import {
  computeRate,
  findReference,
  findTime,
  findVersion,
  hasEnded,
  isOfVersion,
  nameAgent,
} from "./counted";

const MAX_TRIALS = 20_000;
const MAX_AGENTS = 60;
/** Bytes of all runs with their marks, and of a row and a mark without their texts. */
const MAX_RUN_BYTES = 500_000;
const ROW_BYTES = 700;
const MARK_BYTES = 420;
const MAX_DATASETS = 20;
const MAX_MARKS = 40;

interface TaskDataset extends Pick<Dataset, "id" | "label" | "isNamed" | "groups"> {
  readonly ids: readonly string[];
}

export type TaskPage = NonNullable<Awaited<ReturnType<typeof readTaskPage>>>;

export async function getTaskPage(taskName: string, params: TaskParams) {
  const [store, identityOf] = await Promise.all([getStore(), getIdentityOf()]);
  const datasets = await getCached("datasets", listDatasets);
  return readTaskPage(store, datasets, taskName, params, identityOf);
}

export async function readTaskPage(
  store: IndexStore,
  datasets: readonly Dataset[],
  taskName: string,
  params: Pick<TaskParams, "dataset" | "version">,
  identityOf: IdentityOf,
) {
  const having = joinUnnamed(datasets.filter(({ tasks }) => tasks.includes(taskName)));
  const asked = params.dataset;
  const dataset = having.find(
    ({ ids, isNamed }) => asked === null || ids.includes(asked) || (asked === NO_DATASET && !isNamed),
  );
  if (dataset === undefined) return null;
  const read = await readDatasetTrials(store, { groups: dataset.groups, tasks: [taskName] }, MAX_TRIALS);
  const known = read.trials.some(({ taskDigest }) => taskDigest === params.version);
  const version = params.version !== null && known ? params.version : findVersion(read.trials);
  return {
    taskName,
    dataset,
    groups: dataset.groups,
    otherDatasets: having.filter((one) => one !== dataset).slice(0, MAX_DATASETS),
    version,
    ...summarise(read, version, identityOf),
  };
}

/** Tasks outside of datasets are one task if their names match. */
function joinUnnamed(datasets: readonly Dataset[]): readonly TaskDataset[] {
  const [named = [], unnamed = []] = [true, false].map((isNamed) =>
    datasets.filter((dataset) => dataset.isNamed === isNamed),
  );
  const [first] = unnamed;
  const alone =
    first === undefined
      ? []
      : [{ ...first, ids: unnamed.map(({ id }) => id), groups: unnamed.flatMap(({ groups }) => groups) }];
  return [...named.map((dataset) => ({ ...dataset, ids: [dataset.id] })), ...alone];
}

function summarise(
  { trials, nRegraded, isCut }: DatasetTrials,
  version: string | null,
  identityOf: IdentityOf,
) {
  const own = trials.filter((trial) => isOfVersion(trial, version));
  const counted = own.filter((trial) => findReference(trial.agent) === null);
  const ended = counted.filter(hasEnded);
  const agents = [...Map.groupBy(trials, nameAgent).values()]
    .flatMap((attempts) => toAgent(attempts, version, identityOf))
    .toSorted((a, b) => rank(b) - rank(a) || sizeOf(b) - sizeOf(a));
  const [references = [], others = []] = [true, false].map((isReference) =>
    agents.filter(({ agent }) => (findReference(agent) !== null) === isReference),
  );
  const shown = limitRuns([...others.slice(0, MAX_AGENTS), ...references]);
  const listed = shown.slice(0, Math.min(others.length, MAX_AGENTS));
  return {
    versions: listVersions(trials, version),
    /** Over all agents but `oracle` and `nop`. */
    rate: computeRate(counted),
    nAgents: new Set(counted.map(nameAgent)).size,
    nJobs: new Set(counted.map(({ jobRowId }) => jobRowId)).size,
    /** Running, missing or unreadable. */
    nUnended: counted.length - ended.length,
    /** Ended, but left out by the rule of their job. */
    nUncounted: ended.filter(({ counts }) => !counts).length,
    nOtherVersion: trials.length - own.length,
    nRegraded,
    isCut,
    agents: listed,
    nMoreAgents: others.length - listed.length,
    /** `oracle` and `nop`. */
    references: shown.slice(listed.length),
    trials,
  };
}

function rank({ rate }: TaskAgent): number {
  return rate.kind === "computed" ? rate.rate : -1;
}

function sizeOf({ rate }: TaskAgent): number {
  return rate.kind === "computed" ? rate.n : 0;
}

/** Figures are for the counted version. */
export type TaskAgent = ReturnType<typeof toAgent>[number];

function toAgent(attempts: readonly DatasetTrial[], version: string | null, identityOf: IdentityOf) {
  const [first] = attempts;
  if (first === undefined) return [];
  const counted = attempts.filter((trial) => isOfVersion(trial, version) && trial.counts);
  const runs = [...Map.groupBy(attempts, ({ jobRowId, groupKey }) => `${jobRowId} ${groupKey}`).values()]
    .map((own) => toRun(own, version))
    .toSorted((a, b) => (a.whenMs ?? Infinity) - (b.whenMs ?? Infinity) || (a.jobName < b.jobName ? -1 : 1));
  return [
    {
      agent: first.agent,
      model: first.model,
      identity: identityOf(first.agent, first.model),
      rate: computeRate(counted),
      /** US dollars, trajectory steps and milliseconds, over counted attempts. */
      cost: computeDistribution(counted.map(({ costUsd }) => costUsd)),
      steps: computeDistribution(counted.map(({ nSteps }) => nSteps)),
      duration: computeDistribution(counted.map(({ durationMs }) => durationMs)),
      runs,
      nMoreRuns: 0,
    },
  ];
}

export type TaskRun = ReturnType<typeof toRun>;

function toRun(attempts: readonly DatasetTrial[], version: string | null) {
  const own = attempts.filter((trial) => isOfVersion(trial, version));
  const counted = own.filter(({ counts }) => counts);
  const times = attempts.flatMap((trial) => findTime(trial) ?? []);
  return {
    jobKey: attempts[0]?.jobKey ?? "",
    jobName: attempts[0]?.jobName ?? "",
    /** Start of the first attempt, ms since 1970; null if unknown. */
    whenMs: times.length === 0 ? null : times.reduce((first, time) => Math.min(first, time)),
    attempts: attempts.toSorted((a, b) => a.attempt - b.attempt).slice(0, MAX_MARKS),
    nMore: Math.max(0, attempts.length - MAX_MARKS),
    /** Attempts that count under the rule of their job, and those that passed, at the counted version. */
    nCounted: counted.length,
    nPassed: counted.filter(({ outcome }) => outcome === "passed").length,
    nOther: attempts.length - own.length,
  };
}

function limitRuns(agents: readonly TaskAgent[]): readonly TaskAgent[] {
  const runs = new Set(
    takeFitting(
      agents.flatMap((agent) => agent.runs),
      MAX_RUN_BYTES,
      ({ jobKey, jobName, attempts }) =>
        ROW_BYTES +
        countAddressBytes(jobKey) +
        countPageBytes(jobName) +
        attempts.reduce(
          (sum, { key }) => sum + MARK_BYTES + countAddressBytes(jobKey) + countAddressBytes(key),
          0,
        ),
    ),
  );
  return agents.map((agent) => {
    const own = agent.runs.filter((run) => runs.has(run));
    return { ...agent, runs: own, nMoreRuns: agent.runs.length - own.length };
  });
}

const MAX_VERSIONS = 20;

function listVersions(trials: readonly DatasetTrial[], version: string | null) {
  return [...Map.groupBy(trials, ({ taskDigest }) => taskDigest)]
    .map(([digest, own]) => {
      const times = own.flatMap((trial) => findTime(trial) ?? []);
      return {
        digest,
        /** Start of its first attempt, ms since 1970; null if unknown. */
        sinceMs: times.length === 0 ? null : times.reduce((first, time) => Math.min(first, time)),
        rate: computeRate(own.filter(({ agent }) => findReference(agent) === null)),
        isCounted: digest === null || digest === version,
      };
    })
    .toSorted((a, b) => (b.sinceMs ?? -Infinity) - (a.sinceMs ?? -Infinity))
    .slice(0, MAX_VERSIONS);
}
