import "server-only";
import { StoreError } from "@/lib/core/domain/app-error";
import type { TaxonomyParams } from "@/lib/pages/taxonomy/address";
import {
  type AnnotationStore,
  getAnnotationStore,
  mapForward,
  readCodebook,
  readSuggestionAnswers,
} from "@/lib/people/annotations";
import { type IndexStore, namePlace, readScanExtents, readTrialPlaces } from "@/lib/store/tables";

import { createAnnotatedCache } from "../annotations/cached";
import { getJudged } from "../annotations/judged";
import { getPlacedTags } from "../annotations/tags";
import { getCached, getIndex } from "../shell/catalog";
import {
  listSuggestions,
  readTaxonomyBase,
  selectTaxonomyScope,
  type TaxonomyBase,
  type TaxonomyScope,
} from "./base";
import { countCategories, createDenominators, listUses, type ReviewedTrial } from "./categories";
import { countSuggesters } from "./suggesters";
import { listTogether } from "./together";
import { NO_WEIGHTS, readCategoryWeights } from "./weights";

export type TaxonomyPage = Awaited<ReturnType<typeof readTaxonomyPage>>;

const keep = createAnnotatedCache(40);

/** @throws StoreError of the index */
export async function getTaxonomyPage(params: TaxonomyParams) {
  const { store, status } = await getIndex();
  const { generation } = status();
  return keep({ store, generation }, JSON.stringify(params), async () => {
    const value = await readTaxonomyPage(store, await getCached("taxonomy", readTaxonomyBase), params);
    return { value, isWhole: value.problem === null };
  });
}

/** Linear in failures, tags, judgments and answers. */
export async function readTaxonomyPage(
  store: IndexStore,
  indexed: TaxonomyBase,
  params: TaxonomyParams,
  annotations: AnnotationStore = getAnnotationStore(),
) {
  const scope = selectTaxonomyScope(indexed, params);
  const { reviewed, answers, places, imported, weights, problem } = await readPeople(
    store,
    scope,
    params,
    annotations,
  );
  const base = { ...indexed, tags: [...indexed.tags, ...imported] };
  const uses = listUses(base, scope, reviewed);
  const sumOf = (jobs: ReadonlyMap<number, number>) =>
    [...jobs].reduce((sum, [id, n]) => sum + (scope.jobById.has(id) ? n : 0), 0);
  return {
    scope,
    nReviewed: reviewed.length,
    suggesters: countSuggesters(listSuggestions(indexed, imported).filter(scope.holds), answers, places),
    categories: countCategories(
      uses,
      createDenominators(base, scope, reviewed),
      scope,
      reviewed.length,
      weights,
    ),
    together: listTogether(base, scope, uses, reviewed),
    scanners: new Map(base.scanners.map((scanner) => [scanner.id, scanner])),
    nUnclassified: sumOf(base.unclassified),
    nUnread: sumOf(base.unread),
    problem,
  };
}

async function readPeople(
  store: IndexStore,
  scope: TaxonomyScope,
  params: TaxonomyParams,
  annotations: AnnotationStore,
) {
  try {
    const [{ standing: answers }, reviewed, imported] = await Promise.all([
      readSuggestionAnswers(annotations),
      readReviewed(store, scope, annotations),
      getPlacedTags(store, annotations),
    ]);
    const names = new Set(answers.map(({ trial }) => trial.trialName));
    const places = names.size === 0 ? [] : await readTrialPlaces(store, names);
    const weights = await readCategoryWeights(store, scope, params, reviewed, annotations);
    return { answers, reviewed, places, imported, weights, problem: null };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const none = { answers: [], reviewed: [], places: [], imported: [], weights: NO_WEIGHTS };
    return { ...none, problem: error.message };
  }
}

async function readReviewed(
  store: IndexStore,
  scope: TaxonomyScope,
  annotations: AnnotationStore,
): Promise<readonly ReviewedTrial[]> {
  const [{ byJob }, codebook] = await Promise.all([getJudged(store, annotations), readCodebook(annotations)]);
  const judged = [...byJob.values()].flatMap((trials) => [...trials.values()]).filter(scope.counts);
  const extents = await readScanExtents(store, judged);
  return judged.map(({ judgments, state, ...trial }) => ({
    jobRowId: trial.jobRowId,
    position: trial.position,
    key: trial.key,
    groupKey: trial.groupKey,
    isFinished: state === "finished",
    extent: extents.get(namePlace(trial)) ?? null,
    // Current names, so that a renamed or merged category counts as one.
    categories: [
      ...new Set(judgments.latest.flatMap((one) => mapForward(codebook, one).map(({ label }) => label))),
    ],
  }));
}
