import "server-only";
import { isSameTrial } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import { compareNames } from "@/lib/core/domain/compare-text";
import { SUGGESTER_KINDS } from "@/lib/core/domain/suggestion";
import { sumBy } from "@/lib/core/domain/sum-by";
import {
  computeWilsonInterval,
  adjustByHolm,
  computeCoOccurrence,
  computeStratifiedShare,
  type StratumShare,
} from "@/lib/core/stats";
import type { FailureClass } from "@/lib/core/triage/classes";
import type { TaxonomyParams } from "@/lib/pages/taxonomy/address";
import { trialsPageHref } from "@/lib/pages/trials/address";
import {
  type StandingAnswer,
  type AnnotationStore,
  getAnnotationStore,
  mapForward,
  readCodebook,
  readSuggestionAnswers,
} from "@/lib/people/annotations";
import { type Draw, type Member, nameMember, type Population } from "@/lib/people/labels/draws";
import { collectSample, type DrawnTrial, type Standing } from "@/lib/people/labels/sample";
import {
  type TrialPlace,
  type IndexStore,
  readIndexState,
  namePlace,
  readScanExtents,
  readTrialPlaces,
} from "@/lib/store/tables";

import { createAnnotatedCache, getJudged, getPlacedTags } from "../annotations/judged";
import { getCached, getIndex } from "../shell/catalog";
import { sumOfJobs } from "../triage/scope";
import { getDraws, readListPopulation } from "../verifier/groups";
import {
  type PlacedSuggestion,
  createKnowledge,
  sumTrials,
  type TaxonomyBase,
  type TaxonomyScope,
  type ReviewedTrial,
  type TagSource,
  type Use,
  listSuggestions,
  readTaxonomyBase,
  selectTaxonomyScope,
  countCategories,
  createDenominators,
  listUses,
  type CategoryWeights,
} from "./categories";

export type SuggesterRow = ReturnType<typeof countOne>[number];

export const FEWEST_ANSWERS = 5;

/** Within a kind, the least often right comes first, and those with too few answers last. */
export function countSuggesters(
  suggestions: readonly PlacedSuggestion[],
  answers: readonly StandingAnswer[],
  places: readonly TrialPlace[],
) {
  const verdicts = settleAnswers(answers, places);
  return [...Map.groupBy(suggestions, ({ suggester, version }) => `${suggester}\n${version}`).values()]
    .flatMap((own) => countOne(own, verdicts))
    .toSorted(
      (a, b) =>
        SUGGESTER_KINDS.indexOf(a.kind) - SUGGESTER_KINDS.indexOf(b.kind) ||
        rank(a) - rank(b) ||
        b.nTrials - a.nTrials ||
        compareNames(a.id, b.id),
    );
}

type Verdict = "accepted" | "rejected" | "disputed";

function settleAnswers(answers: readonly StandingAnswer[], places: readonly TrialPlace[]) {
  const byName = Map.groupBy(places, ({ trialName }) => trialName);
  const verdicts = new Map<string, Verdict>();
  for (const { trial, suggester, version, answer } of answers) {
    for (const { id, ...place } of byName.get(trial.trialName) ?? []) {
      if (!isSameTrial(trial, { ...place, trialId: id })) continue;
      const name = nameAnswered({ ...place, suggester, version });
      const before = verdicts.get(name);
      verdicts.set(name, before === undefined || before === answer ? answer : "disputed");
    }
  }
  return verdicts;
}

function nameAnswered({
  jobRowId,
  position,
  suggester,
  version,
}: Pick<PlacedSuggestion, "jobRowId" | "position" | "suggester" | "version">): string {
  return `${String(jobRowId)} ${String(position)} ${suggester}\n${version}`;
}

function countOne(own: readonly PlacedSuggestion[], verdicts: ReadonlyMap<string, Verdict>) {
  const [first] = own;
  if (first === undefined) return [];
  const { suggester, kind, id, version } = first;
  // Most indexes have no answers, and naming all suggestions costs more than the rest of the page.
  const said = verdicts.size === 0 ? [] : own.map((suggestion) => verdicts.get(nameAnswered(suggestion)));
  const count = (verdict: Verdict) => said.filter((one) => one === verdict).length;
  const nAccepted = count("accepted");
  const nRejected = count("rejected");
  const n = nAccepted + nRejected;
  return [
    {
      // Answers refer to the version, see `Suggestion`; it is the class for a rule.
      ...{ suggester, kind, id, version, nAccepted, nRejected },
      nTrials: own.length,
      nDisputed: count("disputed"),
      /** Share of “right”, 0 to 1, among trials whose reviewers agree, with Wilson's interval; null with fewer than {@link FEWEST_ANSWERS}. */
      rate: n < FEWEST_ANSWERS ? null : computeWilsonInterval(nAccepted, n),
    },
  ];
}

function rank({ rate }: SuggesterRow): number {
  return rate?.kind === "computed" ? rate.rate : 2;
}

const MOST_ROWS = 15;
/** Fewer joint trials say nothing, however rare both are. */
const FEWEST_TOGETHER = 3;
const ERROR_RATE = 0.05;

/**
 * Pairs failure classes with other sources' categories over the failed trials that the source read. Keeps pairs that remain
 * significant after Holm's adjustment over all pairs, furthest above chance first.
 */
function listTogether(
  base: TaxonomyBase,
  scope: TaxonomyScope,
  uses: readonly Use[],
  reviewed: readonly ReviewedTrial[],
) {
  const classesOf = createClassCounts(base, scope, reviewed);
  const tags = uses.filter(
    ({ source, failureClass }) => source !== "rule" && source !== "import" && failureClass !== null,
  );
  const pairs = [...Map.groupBy(tags, ({ source, category }) => `${source} ${category}`).values()].flatMap(
    (own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { source, category } = first;
      const classes = classesOf(source, category);
      const n = [...classes.values()].reduce((sum, one) => sum + one, 0);
      const both = sumBy(own, ({ failureClass }) => failureClass);
      return Array.from(classes, ([failureClass, nOfClass]) => {
        const counts = { nFirst: nOfClass, nSecond: own.length, n, nBoth: both.get(failureClass) ?? 0 };
        return { failureClass, source, category, nOfClass, found: computeCoOccurrence(counts) };
      });
    },
  );
  const computed = pairs.flatMap(({ found, ...pair }) =>
    found.kind === "computed" ? [{ ...pair, ...found }] : [],
  );
  const adjusted = adjustByHolm(computed.map(({ p }) => p));
  return computed
    .map((pair, nth) => ({ ...pair, p: adjusted[nth] ?? 1 }))
    .filter(({ p, nBoth, expected }) => p < ERROR_RATE && nBoth >= FEWEST_TOGETHER && nBoth > expected)
    .toSorted((a, b) => b.nBoth - b.expected - (a.nBoth - a.expected))
    .slice(0, MOST_ROWS);
}

function createClassCounts(
  base: TaxonomyBase,
  scope: TaxonomyScope,
  reviewed: readonly ReviewedTrial[],
): (source: TagSource, category: string) => ReadonlyMap<FailureClass, number> {
  const knows = createKnowledge(base);
  const failed = scope.totals.flatMap(({ failureClass, ...total }) =>
    failureClass === null ? [] : [{ ...total, failureClass }],
  );
  const judged = sumBy(
    reviewed.flatMap((trial) => base.failures.get(namePlace(trial))?.failureClass ?? []),
    (failureClass) => failureClass,
  );
  return (source, category) => {
    if (source === "reviewer") return judged;
    const known = Map.groupBy(failed.filter(knows(source, category)), ({ failureClass }) => failureClass);
    return new Map(Array.from(known, ([failureClass, own]) => [failureClass, sumTrials(own)]));
  };
}

const NO_WEIGHTS: CategoryWeights = { ofAll: null, ofFailed: null };

/** Uses queues sampled at random from an unchanged list of all trials with a verdict, or of all failures. */
async function readCategoryWeights(
  store: IndexStore,
  scope: TaxonomyScope,
  { jobs }: Pick<TaxonomyParams, "jobs">,
  reviewed: readonly ReviewedTrial[],
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
  const members = new Map(
    [...population].filter(
      ([
        ,
        {
          jobRowId,
          groups: [groupKey = ""],
        },
      ]) => scope.counts({ jobRowId, groupKey }),
    ),
  );
  const failed = new Map([...members].filter(([, { hasPassed }]) => !hasPassed));
  const categoriesOf = new Map(reviewed.map((trial) => [nameMember(trial), new Set(trial.categories)]));
  return { ofAll: weigh(members, draws, categoriesOf), ofFailed: weigh(failed, draws, categoriesOf) };
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

export type TaxonomyPage = Awaited<ReturnType<typeof readTaxonomyPage>>;

const keep = createAnnotatedCache(40);

export async function getTaxonomyPage(params: TaxonomyParams) {
  const { store, status } = await getIndex();
  const { generation } = status();
  return keep({ store, generation }, JSON.stringify(params), async () => {
    const value = await readTaxonomyPage(store, await getCached("taxonomy", readTaxonomyBase), params);
    return { value, isWhole: value.problem === null };
  });
}

export async function readTaxonomyPage(
  store: IndexStore,
  indexed: TaxonomyBase,
  params: TaxonomyParams,
  annotations: AnnotationStore = getAnnotationStore(),
) {
  const scope = selectTaxonomyScope(indexed, params);
  const people = await readPeople(store, scope, params, annotations);
  const { reviewed, answers, places, imported, weights, problem } = people;
  const base = { ...indexed, tags: [...indexed.tags, ...imported] };
  const uses = listUses(base, scope, reviewed);
  const denominatorsOf = createDenominators(base, scope, reviewed);
  const ids = new Set(scope.jobById.keys());
  return {
    scope,
    nReviewed: reviewed.length,
    suggesters: countSuggesters(listSuggestions(indexed, imported).filter(scope.holds), answers, places),
    categories: countCategories(uses, denominatorsOf, scope, reviewed.length, weights),
    together: listTogether(base, scope, uses, reviewed),
    scanners: new Map(base.scanners.map((scanner) => [scanner.id, scanner])),
    nUnclassified: sumOfJobs(base.unclassified, ids),
    nUnread: sumOfJobs(base.unread, ids),
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

async function readReviewed(store: IndexStore, scope: TaxonomyScope, annotations: AnnotationStore) {
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
