import "server-only";

import type { JobParams } from "@/lib/addresses/job";
import { prepareDifferenceScale, type DifferenceScale } from "@/lib/charts/difference-axis";
import { compareNames } from "@/lib/domain/compare-text";
import { computeDimensionOverview, type DimensionStanding, type MeanInterval } from "@/lib/stats";
import type { PairedComparison } from "@/lib/stats";
import type { IndexStore, JobHead } from "@/lib/store";

import { createCache } from "../shell/cache";
import type { DimensionSet } from "./dimension-sides";
import { type JobValues, readJobValues, type RowKind, type StatedValues } from "./dimension-values";

/** One dimension pooled over all tasks that have it, agents side by side. */
export interface OverviewRow {
  readonly kind: RowKind;
  readonly name: string;
  /** Tasks of the shown groups with a value. */
  readonly nTasks: number;
  /** The task where there is one alone; null otherwise. */
  readonly task: string | null;
  /** Mean of the shown groups' means; null where none has a value. */
  readonly mean: number | null;
  /** One a shown group; null where no trial of the group states the dimension. */
  readonly cells: readonly (MeanInterval | null)[];
  /** Null without a pair, and where the two share no task with the dimension. */
  readonly difference: PairedComparison | null;
  /** Of all that was lost, 0 to 1; null where the rule of the reward is not known. */
  readonly lossShare: number | null;
  /** Values, those below 1 among them, and trials that state none. */
  readonly n: number;
  readonly nBelow: number;
  readonly nMissing: number;
  /** True if every value is 0 or 1. */
  readonly isCheck: boolean;
}

/** The overview of a job's dimensions: one row each, worst first. */
export interface DimensionOverview {
  /** Keys of the groups that are shown, in the job's order. */
  readonly groups: readonly string[];
  /** Groups that are left out of the rows. */
  readonly nHidden: number;
  /** The two groups whose difference is shown; null with a single group. */
  readonly pair: readonly [first: string, second: string] | null;
  /** The reward itself; null where it is not on a scale from 0 to 1. */
  readonly reward: OverviewRow | null;
  /** Dimensions of several tasks, or all of them where each is of one task alone. */
  readonly rows: readonly OverviewRow[];
  /** Dimensions of one task each, beside others of several. */
  readonly single: readonly OverviewRow[];
  /** Rows that are not given, of either list. */
  readonly nLeftOut: number;
  /** Counts over all dimensions, in whichever list or in none. `nBelow` have a value below 1. */
  readonly all: { readonly n: number; readonly nBelow: number; readonly areChecks: boolean };
  readonly unscaled: readonly string[];
  /** The scale of differences; null without any. */
  readonly scale: DifferenceScale | null;
}

/** More agents in one row cannot be told apart. */
const MOST_GROUPS = 6;
/** Dimensions of which differences are computed; what comes last is listed without. */
const MOST_ROWS = 60;

export type OverviewRequest = Pick<JobParams, "groups" | "versus">;

const keepOverviews = createCache<DimensionOverview>(20);

/**
 * The dimensions of a job pooled over its tasks, those with values in the shown groups.
 *
 * @param pooled - the run set in the job's place, which is one group; null for the job
 */
export function getDimensionOverview(
  store: IndexStore,
  job: JobHead,
  request: OverviewRequest,
  pooled: DimensionSet | null = null,
): Promise<DimensionOverview> {
  const key = JSON.stringify([job.rowId, job.version, request.groups, request.versus, pooled?.version]);
  return keepOverviews(key, async () => {
    if (pooled !== null)
      return computeOverview(pooled.values, job, { chosen: [pooled.key], versus: request.versus });
    const finished = job.groups.filter(({ nFinished }) => nFinished > 0).map(({ group }) => group.key);
    const chosen = finished.filter((one) => request.groups.length === 0 || request.groups.includes(one));
    return computeOverview(await readJobValues(store, job), job, { chosen, versus: request.versus });
  });
}

function computeOverview(
  { reward, stated, unscaled, lossShares }: JobValues,
  job: JobHead,
  request: { readonly chosen: readonly string[]; readonly versus: readonly string[] },
): DimensionOverview {
  const { chosen } = request;
  const groups = chosen.slice(0, MOST_GROUPS);
  const pair = selectPair(groups, request.versus);
  const places = pair === null ? null : ([groups.indexOf(pair[0]), groups.indexOf(pair[1])] as const);
  const pool = (all: readonly StatedValues[], missing: "zero" | "exclude") =>
    computeDimensionOverview(
      all.map(({ groups: values, ...of }) => ({ of, groups: groups.map((key) => values.get(key) ?? []) })),
      { missing, pair: places },
    ).map((standing) => toRow(standing, lossShares));
  const rows = pool(stated, "exclude").filter(({ n }) => n > 0);
  const pooled = rows.filter(({ nTasks }) => nTasks > 1);
  const main = pooled.length === 0 ? rows : pooled;
  const single = pooled.length === 0 ? [] : rows.filter(({ nTasks }) => nTasks < 2);
  // A ledger's reward leaves missing ones out, as its groups do.
  const [head] = job.groups.flatMap(({ interval }) =>
    interval.kind === "computed" ? [interval.missing] : [],
  );
  const [rewardRow = null] = reward === null ? [] : pool([reward], head ?? "zero");
  const shown = main.slice(0, MOST_ROWS);
  return {
    groups,
    nHidden: chosen.length - groups.length,
    pair,
    reward: rewardRow,
    rows: shown,
    single: single.slice(0, MOST_ROWS).toSorted((a, b) => compareNames(a.task ?? "", b.task ?? "")),
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

/** The pair of the address where both are shown, else the first two. */
function selectPair(
  groups: readonly string[],
  versus: readonly string[],
): readonly [first: string, second: string] | null {
  const [first, second] =
    versus.length === 2 && versus.every((key) => groups.includes(key)) ? versus : groups;
  return first === undefined || second === undefined || first === second ? null : [first, second];
}

type Standing = DimensionStanding<{
  readonly of: Pick<StatedValues, "kind" | "name">;
  readonly groups: StatedValues["groups"] extends ReadonlyMap<string, infer Tasks> ? readonly Tasks[] : never;
}>;

function toRow(
  { dimension, groups, nTasks, mean, difference }: Standing,
  lossShares: ReadonlyMap<string, number> | null,
): OverviewRow {
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
    mean,
    cells: groups.map((group) => (group.kind === "computed" ? group : null)),
    difference: difference?.kind === "computed" ? difference : null,
    lossShare: kind === "dimension" ? (lossShares?.get(name) ?? null) : null,
    n: known.length,
    nBelow: known.filter((value) => value < 1).length,
    nMissing: values.length - known.length,
    isCheck: known.every((value) => value === 0 || value === 1),
  };
}
