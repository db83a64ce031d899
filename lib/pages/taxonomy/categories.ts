import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import { oncePer } from "@/lib/core/domain/once-per";
import type { ScanExtent, ScannerScope } from "@/lib/core/domain/scanner";
import {
  nameSuggester,
  type Suggestion,
  type SuggesterKind,
  SUGGESTER_KINDS,
} from "@/lib/core/domain/suggestion";
import { sumBy } from "@/lib/core/domain/sum-by";
import { computeWilsonInterval, type StratifiedShare, type Unavailable } from "@/lib/core/stats";
import type { TaxonomyParams } from "@/lib/pages/taxonomy/address";
import {
  type IndexStore,
  type MachineTag,
  namePlace,
  readClassifiedTrials,
  readJobsWithoutDerivedDetails,
  readListedJobs,
  readMachineTags,
  readScanners,
  readTagTotals,
  readUnclassifiedJobs,
  type RowPlace,
  type TagTotal,
  shareText,
} from "@/lib/store/tables";

import { nameAgent } from "../errors/scope";
import { findReference } from "../tasks/counted";

export type TaxonomyBase = Awaited<ReturnType<typeof readTaxonomyBase>>;

/** Linear in failures and tags, cached for the generation. */
export async function readTaxonomyBase(store: IndexStore) {
  const [jobs, totals, failed, tags, scanners, unclassified, unread] = await Promise.all([
    readListedJobs(store),
    readTagTotals(store),
    readClassifiedTrials(store),
    readMachineTags(store),
    readScanners(store),
    readUnclassifiedJobs(store),
    readJobsWithoutDerivedDetails(store),
  ]);
  const failures = new Map(failed.map((failure) => [namePlace(failure), failure]));
  // Trials still to be classified, and trials of jobs with unread files, by job.
  return { jobs, totals, failures, tags, scanners, unclassified, unread };
}

export type TaxonomyScope = ReturnType<typeof selectTaxonomyScope>;

type GroupOfJob = Pick<TagTotal, "jobRowId" | "groupKey">;

export function selectTaxonomyScope({ jobs, totals }: TaxonomyBase, filter: TaxonomyParams) {
  const chosen = jobs.filter(({ key }) => filter.jobs.length === 0 || filter.jobs.includes(key));
  const jobById = new Map(chosen.map((job) => [job.id, job]));
  const groups = listGroups(
    totals.filter(({ jobRowId }) => jobById.has(jobRowId)),
    filter.agents,
  );
  const holds = ({ jobRowId, groupKey }: GroupOfJob) => groups.get(jobRowId)?.has(groupKey) === true;
  const counts = ({ jobRowId, groupKey }: GroupOfJob) => groups.get(jobRowId)?.get(groupKey) === "counted";
  const own = totals.filter(counts);
  const failed = totals.filter(
    ({ failureClass, agent }) => failureClass !== null && findReference(agent) === null,
  );
  const byJob = sumBy(
    failed,
    ({ jobRowId }) => jobRowId,
    ({ nTrials }) => nTrials,
  );
  const byAgent = sumBy(failed, nameAgent, ({ nTrials }) => nTrials);
  return {
    jobById,
    holds,
    /** Like `holds`, without `oracle` and `nop`, which are in no rate. */
    counts,
    totals: own,
    nFinished: sumTrials(own.filter(({ isFinished }) => isFinished)),
    nFailed: sumTrials(own.filter(({ failureClass }) => failureClass !== null)),
    facets: {
      jobs: jobs
        .map(({ id, key, name }) => ({ value: key, name, count: byJob.get(id) ?? 0 }))
        .filter(({ value, count }) => count > 0 || filter.jobs.includes(value))
        .toSorted((a, b) => b.count - a.count),
      agents: Array.from(byAgent, ([value, count]) => ({ value, count })).toSorted(
        (a, b) => b.count - a.count,
      ),
    },
  };
}

/** `counted` groups exclude `oracle` and `nop`. Precomputed because every tag queries it. */
function listGroups(totals: readonly TagTotal[], agents: readonly string[]) {
  const groups = new Map<number, Map<string, "counted" | "reference">>();
  for (const total of totals) {
    const { jobRowId, groupKey, agent } = total;
    const own = groups.get(jobRowId) ?? new Map<string, "counted" | "reference">();
    groups.set(jobRowId, own);
    if (own.has(groupKey) || (agents.length > 0 && !agents.includes(nameAgent(total)))) continue;
    own.set(groupKey, findReference(agent) === null ? "counted" : "reference");
  }
  return groups;
}

export function sumTrials(totals: readonly Pick<TagTotal, "nTrials">[]): number {
  return totals.reduce((sum, { nTrials }) => sum + nTrials, 0);
}

export interface PlacedSuggestion extends Suggestion, RowPlace {
  readonly kind: SuggesterKind;
  readonly id: string;
  readonly groupKey: string;
}

/** Lists current machine tags and imports from other tools, without tags of older rules and scanners. */
export function listSuggestions(base: TaxonomyBase, imported: readonly MachineTag[]) {
  return [...makeSuggestions(base), ...imported.map(suggest)];
}

function suggest(tag: MachineTag): PlacedSuggestion {
  return { ...tag, suggester: nameSuggester(tag.kind, tag.id) };
}

const makeSuggestions = oncePer(({ failures, tags }: TaxonomyBase): readonly PlacedSuggestion[] => {
  const byRules = [...failures.values()].flatMap((failure): PlacedSuggestion[] => {
    const { jobRowId, position, groupKey, rule: id, failureClass: version } = failure;
    if (id === "") return [];
    const suggester = shareText(nameSuggester("rule", id));
    return [{ jobRowId, position, groupKey, kind: "rule", id, version, suggester }];
  });
  return [...byRules, ...tags.map(suggest)];
});

/** Returns a test for trials that a source has read. Only there does a missing tag mean anything. */
export function createKnowledge({ scanners, unclassified, unread }: TaxonomyBase) {
  const scopeOf = new Map<string, ScannerScope>(scanners.map(({ id, scope }) => [id, scope]));
  return (kind: SuggesterKind, id: string) =>
    ({ jobRowId, extent }: { readonly jobRowId: number; readonly extent: ScanExtent | null }): boolean => {
      if (kind === "rule") return !unclassified.has(jobRowId);
      // It is unknown what another tool read.
      if (kind === "import") return false;
      if (kind !== "scanner") return !unread.has(jobRowId);
      return extent === "steps" || (extent === "files" && scopeOf.get(id) === "files");
    };
}

const TAG_SOURCES = [...SUGGESTER_KINDS, "reviewer"] as const;

export type TagSource = (typeof TAG_SOURCES)[number];

export interface ReviewedTrial extends RowPlace {
  readonly key: string;
  readonly groupKey: string;
  readonly isFinished: boolean;
  /** Coverage of the scanners; null until all have run. */
  readonly extent: ScanExtent | null;
  /** Distinct categories of all standing judgments, by their current names in the codebook. */
  readonly categories: readonly string[];
}

/** Share of trials with a reviewer category, from random samples, each weighted by the inverse of its sampling rate. */
export type WeightedShare = StratifiedShare | Unavailable;

export interface CategoryWeights {
  /** Over all such trials, and over failed ones; null unless a random queue covers them. */
  readonly ofAll: ((category: string) => WeightedShare) | null;
  readonly ofFailed: ((category: string) => WeightedShare) | null;
}

export type CategoryRow = ReturnType<typeof countCategories>[number];
export type Use = ReturnType<typeof listUses>[number];

/** `category` is the class of a rule, the id of a scanner, else the category itself. */
export function listUses(
  { failures, tags }: TaxonomyBase,
  scope: TaxonomyScope,
  reviewed: readonly ReviewedTrial[],
) {
  const judged = new Set(reviewed.map(namePlace));
  const place = ({ jobRowId, position, isFinished }: RowPlace & { readonly isFinished: boolean }) => {
    const name = namePlace({ jobRowId, position });
    // Null for a passed or running trial, and until its job is classified.
    const failureClass = failures.get(name)?.failureClass ?? null;
    return { jobRowId, position, isFinished, failureClass, tool: null, isReviewed: judged.has(name) };
  };
  return [
    ...[...failures.values()]
      .filter(scope.counts)
      .map((one) => ({ ...place(one), source: "rule" as const, category: one.failureClass })),
    ...tags
      .filter(scope.counts)
      .map((tag) =>
        tag.kind === "import"
          ? { ...place(tag), source: tag.kind, tool: tag.id, category: tag.version }
          : { ...place(tag), source: tag.kind, category: tag.id },
      ),
    ...reviewed.flatMap((trial) =>
      trial.categories.map((category) => ({ ...place(trial), source: "reviewer" as const, category })),
    ),
  ];
}

function nameCategory({ source, tool, category }: Use): string {
  return [source, tool ?? "", category].join("\n");
}

export function createDenominators(
  base: TaxonomyBase,
  scope: TaxonomyScope,
  reviewed: readonly ReviewedTrial[],
) {
  const knows = createKnowledge(base);
  return (source: SuggesterKind, category: string) => {
    const isKnown = knows(source, category);
    const known = scope.totals.filter(isKnown);
    return {
      nFinished: sumTrials(known.filter(({ isFinished }) => isFinished)),
      nFailed: sumTrials(known.filter(({ failureClass }) => failureClass !== null)),
      nReviewed: reviewed.filter(isKnown).length,
    };
  };
}

/**
 * Sorts by source, then by trials. Equal names from two sources are never merged. Shares are of finished, failed and reviewed trials
 * that the source read. For reviewers, the first two are weighted, and null without weights. Null for other tools, since it is
 * unknown what they read.
 */
export function countCategories(
  uses: readonly Use[],
  denominatorsOf: ReturnType<typeof createDenominators>,
  { jobById }: TaxonomyScope,
  nReviewed: number,
  weights: CategoryWeights,
) {
  const computeShares = ({ source, category }: Use, own: readonly Use[]) => {
    const nOfReviewed = own.filter(({ isReviewed }) => isReviewed).length;
    if (source === "import") return { ofAll: null, ofFailed: null, ofReviewed: null };
    if (source === "reviewer")
      return {
        ofAll: weights.ofAll?.(category) ?? null,
        ofFailed: weights.ofFailed?.(category) ?? null,
        ofReviewed: computeWilsonInterval(nOfReviewed, nReviewed),
      };
    const of = denominatorsOf(source, category);
    const nFinished = own.filter(({ isFinished }) => isFinished).length;
    const nFailed = own.filter(({ failureClass }) => failureClass !== null).length;
    return {
      ofAll: computeWilsonInterval(nFinished, of.nFinished),
      ofFailed: computeWilsonInterval(nFailed, of.nFailed),
      ofReviewed: computeWilsonInterval(nOfReviewed, of.nReviewed),
    };
  };
  return [...Map.groupBy(uses, nameCategory).values()]
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { source, tool, category } = first;
      const jobKeys = [...new Set(own.map(({ jobRowId }) => jobById.get(jobRowId)?.key ?? ""))];
      return [{ source, tool, category, nTrials: own.length, jobKeys, ...computeShares(first, own) }];
    })
    .toSorted(
      (a, b) =>
        TAG_SOURCES.indexOf(a.source) - TAG_SOURCES.indexOf(b.source) ||
        compareNames(a.tool ?? "", b.tool ?? "") ||
        b.nTrials - a.nTrials ||
        compareNames(a.category, b.category),
    );
}
