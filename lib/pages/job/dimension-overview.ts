import "server-only";
import { prepareDifferenceScale } from "@/lib/core/charts/difference-axis";
import { compareNames } from "@/lib/core/domain/compare-text";
import { computeDimensionOverview, type DimensionStanding } from "@/lib/core/stats";
import type { DimensionsParams } from "@/lib/pages/job/address";
import type { IndexStore, JobHead } from "@/lib/store/tables";

import type { DimensionSet } from "./dimension-sides";
import { type JobValues, readJobValues, type StatedValues } from "./dimension-values";

/** More agents are indistinguishable in one row. */
const MOST_GROUPS = 6;
/** Dimensions with a computed difference. Later ones are listed without. */
const MOST_ROWS = 60;

export type DimensionOverview = ReturnType<typeof computeOverview>;

/** @param pooled - the run set shown instead of the job, as one group; null for the job */
export async function getDimensionOverview(
  store: IndexStore,
  job: JobHead,
  { groups }: Pick<DimensionsParams, "groups">,
  pooled: DimensionSet | null = null,
): Promise<DimensionOverview> {
  if (pooled !== null) return computeOverview(pooled.values, job, [pooled.key]);
  const finished = job.groups.filter(({ nFinished }) => nFinished > 0).map(({ group }) => group.key);
  const chosen = finished.filter((one) => groups.length === 0 || groups.includes(one));
  return computeOverview(await readJobValues(store, job), job, chosen);
}

function computeOverview(
  { reward, stated, unscaled, lossShares }: JobValues,
  job: JobHead,
  chosen: readonly string[],
) {
  const groups = chosen.slice(0, MOST_GROUPS);
  const [first, second] = groups;
  const pair = first === undefined || second === undefined ? null : ([first, second] as const);
  const places = pair === null ? null : ([0, 1] as const);
  const pool = (all: readonly StatedValues[], missing: "zero" | "exclude") =>
    computeDimensionOverview(
      all.map(({ groups: values, ...of }) => ({ of, groups: groups.map((key) => values.get(key) ?? []) })),
      { missing, pair: places },
    ).map((standing) => toRow(standing, lossShares));
  const rows = pool(stated, "exclude").filter(({ n }) => n > 0);
  const pooled = rows.filter(({ nTasks }) => nTasks > 1);
  const main = pooled.length === 0 ? rows : pooled;
  const single = pooled.length === 0 ? [] : rows.filter(({ nTasks }) => nTasks < 2);
  // A ledger's reward leaves out missing values, as its groups do.
  const [head] = job.groups.flatMap(({ interval }) =>
    interval.kind === "computed" ? [interval.missing] : [],
  );
  const [rewardRow = null] = reward === null ? [] : pool([reward], head ?? "zero");
  const shown = main.slice(0, MOST_ROWS);
  return {
    groups,
    nHidden: chosen.length - groups.length,
    pair,
    /** Null if the reward is not on a scale from 0 to 1. */
    reward: rewardRow,
    /** Dimensions of several tasks; all of them if none has several. */
    rows: shown,
    single: single.slice(0, MOST_ROWS).toSorted((a, b) => compareNames(a.task ?? "", b.task ?? "")),
    /** Counts over all dimensions, listed or not. `nBelow` have a value below 1. */
    all: {
      n: rows.length,
      nBelow: rows.filter(({ nBelow }) => nBelow > 0).length,
      areChecks: rows.every(({ isCheck }) => isCheck),
    },
    nLeftOut: Math.max(0, main.length - MOST_ROWS) + Math.max(0, single.length - MOST_ROWS),
    unscaled,
    scale: prepareDifferenceScale(
      [rewardRow, ...shown].flatMap((row) => (row?.difference == null ? [] : [row.difference])),
    ),
  };
}

type Standing = DimensionStanding<{
  readonly of: Pick<StatedValues, "kind" | "name">;
  readonly groups: StatedValues["groups"] extends ReadonlyMap<string, infer Tasks> ? readonly Tasks[] : never;
}>;

export type OverviewRow = ReturnType<typeof toRow>;

function toRow(
  { dimension, groups, nTasks, mean, difference }: Standing,
  lossShares: ReadonlyMap<string, number> | null,
) {
  const values = dimension.groups.flatMap((tasks) => tasks.flatMap((task) => task.values));
  const known = values.filter((value) => value !== null);
  const [task = null] = dimension.groups.flatMap((tasks) =>
    tasks.filter((one) => one.values.some((value) => value !== null)).map((one) => one.task),
  );
  const { kind, name } = dimension.of;
  return {
    kind,
    name,
    nTasks,
    task: nTasks === 1 ? task : null,
    /** Mean of the shown groups' means; null without values. */
    mean,
    cells: groups.map((group) => (group.kind === "computed" ? group : null)),
    difference: difference?.kind === "computed" ? difference : null,
    /** Share of all lost reward, 0 to 1; null if the rule of the reward is unknown. */
    lossShare: kind === "dimension" ? (lossShares?.get(name) ?? null) : null,
    /** Counts of values, of values below 1, and of trials without a value. */
    n: known.length,
    nBelow: known.filter((value) => value < 1).length,
    nMissing: values.length - known.length,
    isCheck: known.every((value) => value === 0 || value === 1),
  };
}
