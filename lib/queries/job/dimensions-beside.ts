import "server-only";

import type { JobParams } from "@/lib/addresses/job";
import { prepareDifferenceScale, type DifferenceScale } from "@/lib/charts/difference-axis";
import { compareNames } from "@/lib/domain/compare-text";
import {
  computePairedComparison,
  type MissingRule,
  type PairedComparison,
  type TaskValues,
} from "@/lib/stats";
import { type IndexStore, type JobHead, readHeads } from "@/lib/store";

import { type Dataset, listDatasets } from "../datasets/list";
import { createCache } from "../shell/cache";
import { getCached } from "../shell/catalog";
import { type DerivedDetailsState, getDerivedDetailsState } from "../shell/derived-details-state";
import { nameAgent } from "../tasks/counted";
import { readJobValues, type RowKind, type StatedValues } from "./dimension-values";

/** One dimension of two jobs over the tasks that state it in both. */
export interface BesideRow {
  readonly kind: RowKind;
  readonly name: string;
  /** The task where there is one alone; null otherwise. */
  readonly task: string | null;
  /** This job minus the other one; means are over the common tasks. */
  readonly comparison: PairedComparison;
}

/** A job that can be set beside this one. */
export type BesideJob = Pick<JobHead, "key" | "name">;

/** An agent and model whose trials are compared. */
export interface BesideAgent {
  readonly agent: string;
  readonly model: string | null;
}

/** The dimensions of a job beside those of another one. */
export interface DimensionsBeside {
  readonly other: BesideJob;
  /** Whether this job began after the other one; null when that is not known. */
  readonly isLater: boolean | null;
  /** Agents whose trials are pooled, of this job and of the other one: those that both have, where there are any. */
  readonly agents: readonly [here: readonly BesideAgent[], there: readonly BesideAgent[]];
  /** The reward itself; null where it is not on a scale from 0 to 1, or no task is in both. */
  readonly reward: BesideRow | null;
  /** Of several common tasks, the worst change first. */
  readonly rows: readonly BesideRow[];
  /** Of one common task each, the worst change first. */
  readonly single: readonly BesideRow[];
  /** Of all dimensions of one common task, whether listed or not, and the task with most that are lower. */
  readonly singleCounts: {
    readonly n: number;
    readonly nLower: number;
    readonly nHigher: number;
    readonly worstTask: string | null;
  };
  /** Names of dimensions that only one of them states, or for no task of the other. */
  readonly onlyHere: readonly string[];
  readonly onlyThere: readonly string[];
  readonly nLeftOut: number;
  /** The scale of differences; null without any. */
  readonly scale: DifferenceScale | null;
  /** Whether the verifiers' files of the other job are read. */
  readonly state: DerivedDetailsState;
}

/** What a page asks to be set beside its job, and what can be: the jobs of the same datasets, the newest first. */
export interface BesidePanel {
  readonly choices: readonly BesideJob[];
  /** Null where nothing is asked for. */
  readonly beside: DimensionsBeside | "unknown" | null;
}

/** Dimensions that are listed, of either list. */
const MOST_ROWS = 60;
/** Jobs that can be chosen from a menu; any other one by the address. */
const MOST_CHOICES = 100;

type Request = Pick<JobParams, "groups" | "withJob">;

const keepBeside = createCache<DimensionsBeside>(20);

/** The dimensions of a job beside those of the job of the address, which must be of the same dataset. */
export async function getDimensionsBeside(
  store: IndexStore,
  job: JobHead,
  request: Request,
): Promise<BesidePanel> {
  const datasets = await getCached("datasets", listDatasets);
  return readDimensionsBeside(store, job, request, datasets);
}

/** {@link getDimensionsBeside} of one index and its datasets. */
export async function readDimensionsBeside(
  store: IndexStore,
  job: JobHead,
  request: Request,
  datasets: readonly Pick<Dataset, "groups">[],
): Promise<BesidePanel> {
  const own = datasets.filter(({ groups }) => groups.some(({ jobRowId }) => jobRowId === job.rowId));
  const ids = new Set(own.flatMap(({ groups }) => groups.map(({ jobRowId }) => jobRowId)));
  ids.delete(job.rowId);
  const heads = await readHeads(store, [...ids]);
  const byId = new Map(heads.map((head) => [head.rowId, head]));
  const jobs = [...ids].flatMap((id) => byId.get(id) ?? []);
  const other = jobs.find(({ key }) => key === request.withJob);
  const choices = jobs.slice(0, MOST_CHOICES).map(({ key, name }) => ({ key, name }));
  if (request.withJob === null) return { choices, beside: null };
  if (other === undefined) return { choices, beside: "unknown" };
  const state = await getDerivedDetailsState(other);
  const key = JSON.stringify([job.rowId, job.version, other.rowId, other.version, request.groups, state]);
  return {
    choices,
    beside: await keepBeside(key, () => compareJobs(store, [job, other], request, own, state)),
  };
}

async function compareJobs(
  store: IndexStore,
  [job, other]: readonly [JobHead, JobHead],
  request: Request,
  datasets: readonly Pick<Dataset, "groups">[],
  state: DerivedDetailsState,
): Promise<DimensionsBeside> {
  const [here, there] = chooseGroups(job, other, request.groups, datasets);
  const [values, others] = await Promise.all([readJobValues(store, job), readJobValues(store, other)]);
  const named = new Map(others.stated.map((one) => [nameDimension(one), one]));
  const both = values.stated.flatMap((one) => {
    const twin = named.get(nameDimension(one));
    return twin === undefined ? [] : [{ of: one, first: pool(one, here), second: pool(twin, there) }];
  });
  const pairs = both.map((pair) => ({ ...pair, common: listCommon(pair.first, pair.second) }));
  const pooled = pairs.filter(({ common }) => common.length > 1);
  const single = pairs.filter(({ common }) => common.length === 1);
  const compare = (list: typeof pairs) =>
    list
      .flatMap((pair) => compareDimension(pair, "exclude", Math.max(1, list.length)))
      .toSorted((a, b) => a.comparison.difference - b.comparison.difference || compareNames(a.name, b.name));
  const rows = compare(pooled);
  const alone = compare(single);
  const reward = compareRewards(values.reward, others.reward, { here, there, job });
  const compared = new Set([...rows, ...alone].map(nameDimension));
  const leftOver = (stated: readonly StatedValues[], keys: readonly string[]) =>
    stated
      .filter((one) => !compared.has(nameDimension(one)) && pool(one, keys).some(hasValue))
      .map(({ name }) => name);
  const shown = rows.slice(0, MOST_ROWS);
  return {
    other: { key: other.key, name: other.name },
    isLater: isLater(job, other),
    agents: [listAgents(job, here), listAgents(other, there)],
    reward,
    rows: shown,
    single: alone.slice(0, MOST_ROWS),
    singleCounts: countChanges(alone),
    onlyHere: leftOver(values.stated, here),
    onlyThere: leftOver(others.stated, there),
    nLeftOut: Math.max(0, rows.length - MOST_ROWS) + Math.max(0, alone.length - MOST_ROWS),
    scale: prepareDifferenceScale(
      [reward, ...(shown.length === 0 ? alone.slice(0, MOST_ROWS) : shown)].flatMap((row) =>
        row === null ? [] : [row.comparison],
      ),
    ),
    state,
  };
}

function countChanges(rows: readonly BesideRow[]): DimensionsBeside["singleCounts"] {
  const lower = rows.filter(({ comparison }) => comparison.difference < 0);
  const byTask = [...Map.groupBy(lower, ({ task }) => task)].toSorted((a, b) => b[1].length - a[1].length);
  return {
    n: rows.length,
    nLower: lower.length,
    nHigher: rows.filter(({ comparison }) => comparison.difference > 0).length,
    worstTask: byTask[0]?.[0] ?? null,
  };
}

/** Keys of the groups of both jobs over the same datasets: of the agents that both have, or all where they share none. */
function chooseGroups(
  job: JobHead,
  other: JobHead,
  asked: readonly string[],
  datasets: readonly Pick<Dataset, "groups">[],
): readonly [readonly string[], readonly string[]] {
  const shared = datasets.filter(({ groups }) => groups.some(({ jobRowId }) => jobRowId === other.rowId));
  const keysOf = ({ rowId }: JobHead) =>
    new Set(
      shared.flatMap(({ groups }) =>
        groups.filter(({ jobRowId }) => jobRowId === rowId).map(({ key }) => key),
      ),
    );
  const [own, others] = [keysOf(job), keysOf(other)];
  const here = listFinished(job).filter(
    ({ key }) => own.has(key) && (asked.length === 0 || asked.includes(key)),
  );
  const there = listFinished(other).filter(({ key }) => others.has(key));
  const kinds = new Set(here.map(nameAgent));
  const same = new Set(there.map(nameAgent).filter((kind) => kinds.has(kind)));
  const pick = (groups: typeof here) =>
    groups.filter((group) => same.size === 0 || same.has(nameAgent(group))).map(({ key }) => key);
  return [pick(here), pick(there)];
}

function listFinished({ groups }: JobHead) {
  return groups.filter(({ nFinished }) => nFinished > 0).map(({ group }) => group);
}

function listAgents(job: JobHead, keys: readonly string[]): readonly BesideAgent[] {
  return listFinished(job)
    .filter(({ key }) => keys.includes(key))
    .map(({ agent, model }) => ({ agent, model }));
}

function nameDimension({ kind, name }: Pick<StatedValues, "kind" | "name">): string {
  return `${kind} ${name}`;
}

/** What some groups state of a dimension, each task once. */
function pool({ groups }: StatedValues, keys: readonly string[]): readonly TaskValues[] {
  const all = keys.flatMap((key) => groups.get(key) ?? []);
  return Array.from(
    Map.groupBy(all, ({ task }) => task),
    ([task, own]) => ({ task, values: own.flatMap(({ values }) => values) }),
  );
}

function hasValue({ values }: TaskValues): boolean {
  return values.some((value) => value !== null);
}

/** Tasks of which both state a value. */
function listCommon(first: readonly TaskValues[], second: readonly TaskValues[]): readonly string[] {
  const others = new Set(second.filter(hasValue).map(({ task }) => task));
  return first.filter((one) => hasValue(one) && others.has(one.task)).map(({ task }) => task);
}

interface Pair {
  readonly of: Pick<StatedValues, "kind" | "name">;
  readonly first: readonly TaskValues[];
  readonly second: readonly TaskValues[];
  readonly common: readonly string[];
}

function compareDimension(
  { of: { kind, name }, first, second, common }: Pair,
  missing: MissingRule,
  nComparisons: number,
): readonly BesideRow[] {
  const comparison = computePairedComparison(first, second, { missing, nComparisons });
  if (comparison.kind !== "computed") return [];
  const [task = null] = common;
  return [{ kind, name, task: common.length === 1 ? task : null, comparison }];
}

function compareRewards(
  first: StatedValues | null,
  second: StatedValues | null,
  { here, there, job }: { here: readonly string[]; there: readonly string[]; job: JobHead },
): BesideRow | null {
  if (first === null || second === null) return null;
  const pair = { of: first, first: pool(first, here), second: pool(second, there), common: [] };
  // A ledger's reward leaves missing ones out, as its groups do.
  const [rule = "zero" as const] = job.groups.flatMap(({ interval }) =>
    interval.kind === "computed" ? [interval.missing] : [],
  );
  return compareDimension(pair, rule, 1)[0] ?? null;
}

/** A start without a zone is in no order with others. */
function isLater({ time: here }: JobHead, { time: there }: JobHead): boolean | null {
  const [own, other] = [here.startedAt, there.startedAt];
  if (own?.zoned !== true || other?.zoned !== true) return null;
  return own.epochMs === other.epochMs ? null : own.epochMs > other.epochMs;
}
