import "server-only";
import { prepareDifferenceScale } from "@/lib/core/charts/difference-axis";
import { compareNames } from "@/lib/core/domain/compare-text";
import { computePairedComparison, type MissingRule, type TaskValues } from "@/lib/core/stats";
import type { IndexStore, JobHead } from "@/lib/store/tables";

import type { Dataset } from "../datasets/list";
import { createCache } from "../shell/cache";
import type { DerivedDetailsState } from "../shell/derived-details-state";
import {
  chooseGroups,
  isLater,
  listAgents,
  listShared,
  nameSide,
  pickSide,
  readSide,
  type Side,
} from "./beside-sides";
import type { DimensionSet } from "./dimension-sides";
import type { StatedValues } from "./dimension-values";

const MOST_ROWS = 60;

export type DimensionsBeside = ReturnType<typeof compareSides>;

export type BesideRow = ReturnType<typeof compareDimension>[number];

const keepBeside = createCache<DimensionsBeside>(20);

export interface BesideRequest {
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
  const { job, pooled, other, groups, state } = request;
  const key = JSON.stringify([nameSide(pooled ?? job), job.key, nameSide(other), groups, state]);
  return keepBeside(key, async () => {
    const [here, there] = await Promise.all([readSide(store, pooled ?? job), readSide(store, other)]);
    return compareSides([{ ...here, pageKey: job.key }, there], request, datasets);
  });
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
    here: pickSide(here),
    other: pickSide(there),
    isLater: isLater(here.starts, there.starts),
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
