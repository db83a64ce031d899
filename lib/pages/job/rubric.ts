import "server-only";
import { rangeOfPage, takePage, PAGE_ROWS } from "@/lib/core/domain/list-page";
import { RUBRIC_FITS, type RubricFit, type RubricRequest, type RubricSort } from "@/lib/core/domain/rubric";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { RubricWeights } from "@/lib/core/evaluation";
import type { RubricParams } from "@/lib/pages/job/address";
import { type FamilySummary, type IndexStore, type JobHead, readFamilies } from "@/lib/store/tables";

import { getDerivedDetailsState } from "../shell/derived-details-state";
import {
  findRollup,
  readRubricFamily,
  type RecomputedFamily,
  type RecomputedTrial,
  readRecomputedFamily,
  type RubricFamily,
} from "./rubric-trials";

export interface FitCount {
  readonly fit: RubricFit;
  readonly count: number;
}

type RubricPanelRequest = Pick<
  RubricParams,
  "family" | "rollup" | "weights" | "fits" | "sort" | "descending" | "groups" | "page"
>;

export type RubricPanel = Awaited<ReturnType<typeof getRubricPanel>>;

export type RubricBench = NonNullable<RubricPanel["bench"]>;

export type TriedRubric = ReturnType<typeof tryRubric>;

const MOST_FIELDS = 200;

export async function getRubricPanel(store: IndexStore, job: JobHead, request: RubricPanelRequest) {
  const families = await readFamilies(store, job.rowId);
  const family = families.find(({ name }) => name === request.family) ?? families[0];
  return {
    families,
    /** Over all finished trials of the job, including those without dimensions. */
    fits: countFits(
      families,
      job.groups.reduce((sum, { nFinished }) => sum + nFinished, 0),
    ),
    bench: family === undefined ? null : await readBench(store, job, family, request),
    state: await getDerivedDetailsState(job),
  };
}

async function readBench(
  store: IndexStore,
  job: JobHead,
  family: FamilySummary,
  request: RubricPanelRequest,
) {
  const known = await readRubricFamily(store, job, family.name);
  const tried = tryRubric(known, family.fits, request);
  const recomputed = await readRecomputedFamily(store, job, family.name, toRubricWeights(tried));
  return {
    ...tried,
    family,
    groups: recomputed.groups,
    fits: listFits(family.fits),
    nChanged: recomputed.nChanged,
    nCompared: recomputed.nCompared,
    ...takePage(listTrials(recomputed, request), rangeOfPage(request.page, PAGE_ROWS)),
  };
}

export function tryRubric(
  usual: Pick<RubricFamily, "areStated" | "weights">,
  fits: ReadonlyMap<RubricFit, number>,
  request: RubricRequest,
) {
  const usualRollup = findRollup(fits);
  const rollup = request.rollup ?? usualRollup;
  const weights = Array.from(usual.weights, ([name, weight]) => ({
    name,
    usual: weight,
    weight: request.weights.get(name) ?? weight,
  }));
  return {
    rollup,
    usualRollup,
    weights,
    /** The first 200, and changed ones at any position. */
    fields: weights.filter(({ weight, usual: before }, at) => at < MOST_FIELDS || weight !== before),
    areStated: usual.areStated,
    isChanged: rollup !== usualRollup || weights.some(({ weight, usual: before }) => weight !== before),
  };
}

export function toRubricWeights({ rollup, weights }: TriedRubric): RubricWeights {
  return { rollup, weights: new Map(weights.map(({ name, weight }) => [name, weight])) };
}

function countFits(families: readonly FamilySummary[], nFinished: number): readonly FitCount[] {
  const counts = sumBy(
    families.flatMap(({ fits }) => [...fits]),
    ([fit]) => fit,
    ([, count]) => count,
  );
  const nInFamilies = families.reduce((sum, { nTrials }) => sum + nTrials, 0);
  counts.set("no_dimensions", (counts.get("no_dimensions") ?? 0) + Math.max(0, nFinished - nInFamilies));
  return listFits(counts);
}

function listFits(counts: ReadonlyMap<RubricFit, number>): readonly FitCount[] {
  return RUBRIC_FITS.map((fit) => ({ fit, count: counts.get(fit) ?? 0 })).filter(({ count }) => count > 0);
}

const KEYS: Readonly<Record<RubricSort, (row: RecomputedTrial) => number | string | null>> = {
  change: ({ change }) => (change === null ? null : Math.abs(change)),
  stored: ({ trial }) => trial.reward,
  recomputed: ({ recomputed }) => (Number.isNaN(recomputed) ? null : recomputed),
  task: ({ trial }) => trial.taskName,
};

/** Filters and sorts trials. Unknown values come last in both directions. */
function listTrials(
  { trials }: RecomputedFamily,
  { fits, groups, sort, descending }: RubricPanelRequest,
): readonly RecomputedTrial[] {
  const fitting = trials.filter(
    ({ trial }) =>
      (fits.length === 0 || fits.includes(trial.fit ?? "no_dimensions")) &&
      (groups.length === 0 || groups.includes(trial.groupKey)),
  );
  if (sort === "change" && descending) return fitting;
  const key = KEYS[sort];
  const sign = descending ? -1 : 1;
  return fitting.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (x < y ? -1 : Number(x > y)) || a.trial.position - b.trial.position;
  });
}
