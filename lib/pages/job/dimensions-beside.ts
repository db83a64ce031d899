import "server-only";
import { prepareDifferenceScale } from "@/lib/core/charts/difference-axis";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import { compareNames } from "@/lib/core/domain/compare-text";
import { computePairedComparison, type MissingRule, type TaskValues } from "@/lib/core/stats";
import type { IndexStore, JobHead } from "@/lib/store/tables";

import type { Dataset } from "../datasets/list";
import type { DerivedDetailsState } from "../shell/derived-details-state";
import { nameAgent } from "../tasks/counted";
import type { DimensionSet } from "./dimension-sides";
import { readJobValues, type StatedValues } from "./dimension-values";

const MOST_ROWS = 60;

export type DimensionsBeside = ReturnType<typeof compareSides>;

export type BesideRow = ReturnType<typeof compareDimension>[number];

interface BesideRequest {
  readonly job: JobHead;
  readonly pooled: DimensionSet | null;
  readonly other: DimensionSet | JobHead;
  /** Keys of the compared groups of the job; empty for all. Ignored for a run set. */
  readonly groups: readonly string[];
  readonly state: DerivedDetailsState;
}

export async function readDimensionsBeside(
  store: IndexStore,
  request: BesideRequest,
  datasets: readonly Pick<Dataset, "groups">[],
): Promise<DimensionsBeside> {
  const { job, pooled, other } = request;
  const [here, there] = await Promise.all([readSide(store, pooled ?? job), readSide(store, other)]);
  return compareSides([{ ...here, pageKey: job.key }, there], request, datasets);
}

type Side = Awaited<ReturnType<typeof readSide>>;

async function readSide(store: IndexStore, side: DimensionSet | JobHead) {
  if ("runs" in side) {
    const { name, refs, key, values, runs } = side;
    // All groups of a run set have the same key.
    const groups = side.agents.map((agent) => ({ key, ...agent }));
    return { name, refs, values, groups, runs, jobKey: null, rowId: null, pageKey: runs[0]?.job.key ?? "" };
  }
  const groups = side.groups.filter(({ nFinished }) => nFinished > 0).map(({ group }) => group);
  return {
    name: side.name,
    refs: [side.key],
    values: await readJobValues(store, side),
    groups,
    // A job's own groups are undivided.
    runs: groups.map((group) => ({ job: side, group, figureKey: group.key })),
    jobKey: side.key,
    rowId: side.rowId,
    pageKey: side.key,
  };
}

function compareSides(
  [here, there]: readonly [Side, Side],
  { job, groups, state }: BesideRequest,
  datasets: readonly Pick<Dataset, "groups">[],
) {
  const [first, second] = chooseGroups(here, there, groups, datasets);
  const named = new Map(there.values.stated.map((one) => [nameDimension(one), one]));
  const both = here.values.stated.flatMap((one) => {
    const twin = named.get(nameDimension(one));
    return twin === undefined ? [] : [{ of: one, first: pool(one, first), second: pool(twin, second) }];
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
  const reward = compareRewards([here.values.reward, there.values.reward], [first, second], job);
  const compared = new Set([...rows, ...alone].map(nameDimension));
  const leftOver = (stated: readonly StatedValues[], keys: readonly string[]) =>
    stated
      .filter((one) => !compared.has(nameDimension(one)) && pool(one, keys).some(hasValue))
      .map(({ name }) => name);
  const shown = rows.slice(0, MOST_ROWS);
  return {
    here,
    other: there,
    isLater: isLater(here, there),
    /** Agents with pooled trials on each side: the common ones, or all without any. */
    agents: [listAgents(here, first), listAgents(there, second)] as const,
    reward,
    rows: shown,
    single: alone.slice(0, MOST_ROWS),
    singleCounts: countChanges(alone),
    /** Names of dimensions that the other side lacks, or has for no common task. */
    onlyHere: leftOver(here.values.stated, first),
    onlyThere: leftOver(there.values.stated, second),
    /** Names of jobs with trials on both sides, which are then not independent samples. */
    onBothSides: listShared([here, there], [first, second]),
    nLeftOut: Math.max(0, rows.length - MOST_ROWS) + Math.max(0, alone.length - MOST_ROWS),
    scale: prepareDifferenceScale(
      [reward, ...(shown.length === 0 ? alone.slice(0, MOST_ROWS) : shown)].flatMap((row) =>
        row === null ? [] : [row.comparison],
      ),
    ),
    state,
  };
}

/** Counts over all dimensions with one common task, listed or not, and the task with most lower ones. */
function countChanges(rows: readonly BesideRow[]) {
  const lower = rows.filter(({ comparison }) => comparison.difference < 0);
  const byTask = [...Map.groupBy(lower, ({ task }) => task)].toSorted((a, b) => b[1].length - a[1].length);
  return {
    n: rows.length,
    nLower: lower.length,
    nHigher: rows.filter(({ comparison }) => comparison.difference > 0).length,
    worstTask: byTask[0]?.[0] ?? null,
  };
}

function nameDimension({ kind, name }: Pick<StatedValues, "kind" | "name">): string {
  return `${kind} ${name}`;
}

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
) {
  const comparison = computePairedComparison(first, second, { missing, nComparisons });
  if (comparison.kind !== "computed") return [];
  const [task = null] = common;
  // The first side minus the second. Means are over the common tasks.
  return [{ kind, name, task: common.length === 1 ? task : null, comparison }];
}

function compareRewards(
  [first, second]: readonly [StatedValues | null, StatedValues | null],
  [here, there]: readonly [readonly string[], readonly string[]],
  job: JobHead,
) {
  if (first === null || second === null) return null;
  const pair = { of: first, first: pool(first, here), second: pool(second, there), common: [] };
  // A ledger's reward leaves out missing values, as its groups do.
  const [rule = "zero" as const] = job.groups.flatMap(({ interval }) =>
    interval.kind === "computed" ? [interval.missing] : [],
  );
  return compareDimension(pair, rule, 1)[0] ?? null;
}

/** Returns the group keys of both sides over the same datasets. Without a common agent, all groups are returned. */
function chooseGroups(
  here: Side,
  there: Side,
  asked: readonly string[],
  datasets: readonly Pick<Dataset, "groups">[],
): readonly [readonly string[], readonly string[]] {
  const ids = [here, there].flatMap(({ rowId }) => rowId ?? []);
  const shared = datasets.filter(({ groups }) =>
    ids.every((id) => groups.some(({ jobRowId }) => jobRowId === id)),
  );
  const listOwn = ({ rowId, groups }: Side) => {
    // The user picked the runs of a run set, so their datasets are not checked.
    if (rowId === null) return groups;
    const known = shared.flatMap((dataset) => dataset.groups.filter(({ jobRowId }) => jobRowId === rowId));
    const keys = new Set(known.map(({ key }) => key));
    return groups.filter(({ key }) => keys.has(key));
  };
  const own = listOwn(here).filter(
    ({ key }) => here.rowId === null || asked.length === 0 || asked.includes(key),
  );
  const others = listOwn(there);
  const kinds = new Set(own.map(nameAgent));
  const same = new Set(others.map(nameAgent).filter((kind) => kinds.has(kind)));
  const pick = (groups: Side["groups"]) => [
    ...new Set(groups.filter((group) => same.size === 0 || same.has(nameAgent(group))).map(({ key }) => key)),
  ];
  return [pick(own), pick(others)];
}

function listShared(
  [here, there]: readonly [Side, Side],
  [own, others]: readonly [readonly string[], readonly string[]],
): readonly string[] {
  const listCompared = ({ rowId, runs }: Side, keys: readonly string[]) =>
    rowId === null ? runs : runs.filter(({ group }) => keys.includes(group.key));
  const second = listCompared(there, others);
  const shared = listCompared(here, own).filter((one) => second.some((other) => isShared(one, other)));
  return [...new Set(shared.map(({ job }) => job.name))];
}

/** Two parts of one divided group have no trial in common. */
function isShared(one: Side["runs"][number], other: Side["runs"][number]): boolean {
  const [key, otherKey] = [one.group.key, other.group.key];
  return (
    one.job.key === other.job.key &&
    (key === otherKey || key === other.figureKey || otherKey === one.figureKey)
  );
}

function listAgents({ groups }: Side, keys: readonly string[]) {
  return groups.filter(({ key }) => keys.includes(key)).map(({ agent, model }) => ({ agent, model }));
}

/** True if every run of the first side started after all of the second; null if mixed or without a time zone. */
function isLater(here: Side, there: Side): boolean | null {
  const listStarts = ({ runs }: Side) => runs.map(({ job }) => job.time.startedAt);
  const starts = [...listStarts(here), ...listStarts(there)];
  if (!starts.every((start): start is ClockTime => start?.zoned === true)) return null;
  const [own, others] = [starts.slice(0, here.runs.length), starts.slice(here.runs.length)].map((some) =>
    some.map(({ epochMs }) => epochMs),
  );
  if (own === undefined || others === undefined) return null;
  if (Math.min(...own) > Math.max(...others)) return true;
  return Math.max(...own) < Math.min(...others) ? false : null;
}
