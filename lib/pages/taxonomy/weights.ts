import "server-only";
import {
  computeStratifiedShare,
  type StratifiedShare,
  type StratumShare,
  type Unavailable,
} from "@/lib/core/stats";
import type { TaxonomyParams } from "@/lib/pages/taxonomy/address";
import { trialsPageHref } from "@/lib/pages/trials/address";
import type { AnnotationStore } from "@/lib/people/annotations";
import type { Draw } from "@/lib/people/labels/draws";
import { type Member, nameMember, type Population } from "@/lib/people/labels/members";
import { collectSample, type DrawnTrial, type Standing } from "@/lib/people/labels/sample";
import { type IndexStore, readIndexState } from "@/lib/store/tables";

import { getDraws, readListPopulation } from "../verifier/draws";
import type { TaxonomyScope } from "./base";

/** Share of trials with a reviewer category, from random samples, each weighted by the inverse of its sampling rate. */
export type WeightedShare = StratifiedShare | Unavailable;

interface Labelled extends Pick<Member, "jobRowId" | "key"> {
  readonly categories: readonly string[];
}

export interface CategoryWeights {
  /** Over all such trials, and over failed ones; null unless a random queue covers them. */
  readonly ofAll: ((category: string) => WeightedShare) | null;
  readonly ofFailed: ((category: string) => WeightedShare) | null;
}

export const NO_WEIGHTS: CategoryWeights = { ofAll: null, ofFailed: null };

/** Uses queues sampled at random from an unchanged list of all trials with a verdict, or of all failures. @throws StoreError */
export async function readCategoryWeights(
  store: IndexStore,
  scope: TaxonomyScope,
  { jobs }: Pick<TaxonomyParams, "jobs">,
  reviewed: readonly Labelled[],
  annotations: AnnotationStore,
): Promise<CategoryWeights> {
  const { draws } = await getDraws(store, annotations);
  if (draws.length === 0) return NO_WEIGHTS;
  const { generation } = await readIndexState(store);
  const [only, ...others] = jobs;
  const href =
    only !== undefined && others.length === 0 ? trialsPageHref(only, {}) : trialsPageHref(null, { jobs });
  const population = await readListPopulation({ store, generation, version: "" }, href);
  if (population === null) return NO_WEIGHTS;
  const members = select(population, ({ jobRowId, groups: [groupKey = ""] }) =>
    scope.counts({ jobRowId, groupKey }),
  );
  const categoriesOf = new Map(reviewed.map((trial) => [nameMember(trial), new Set(trial.categories)]));
  return {
    ofAll: weigh(members, draws, categoriesOf),
    ofFailed: weigh(
      select(members, ({ hasPassed }) => !hasPassed),
      draws,
      categoriesOf,
    ),
  };
}

function select(population: Population, holds: (member: Member) => boolean): Population {
  return new Map([...population].filter(([, member]) => holds(member)));
}

/** Standings of trials that reviewers have finished, with any result. */
const LABELLED: ReadonlySet<Standing> = new Set<Standing>(["passed", "failed", "deferred", "conflict"]);

function weigh(
  members: Population,
  draws: readonly Draw[],
  categoriesOf: ReadonlyMap<string, ReadonlySet<string>>,
): CategoryWeights["ofAll"] {
  const labelled = [...collectSample(members, draws).drawn.values()].filter(({ standing }) =>
    LABELLED.has(standing),
  );
  if (labelled.length === 0) return null;
  const labels = Map.groupBy(labelled, ({ member }) => nameStratum(member));
  const strata = [...Map.groupBy(members.values(), nameStratum)].map(([name, own]) => ({
    hasPassed: own[0]?.hasPassed === true,
    nTrials: own.length,
    labels: labels.get(name) ?? [],
  }));
  return (category) => {
    const has = ({ member }: DrawnTrial) => categoriesOf.get(nameMember(member))?.has(category) === true;
    const count = (verdict: boolean) =>
      strata
        .filter(({ hasPassed }) => hasPassed === verdict)
        .map(({ nTrials, labels: own }): StratumShare => {
          const right = own.filter(has).length;
          return { right, wrong: own.length - right, nLabels: own.length, nTrials };
        });
    return computeStratifiedShare([count(true), count(false)].filter((own) => own.length > 0));
  };
}

function nameStratum({ agentModel, hasPassed }: Member): string {
  return `${String(hasPassed)} ${agentModel}`;
}
