import "server-only";
import { oncePer } from "@/lib/core/domain/once-per";
import type { ScanExtent, ScannerScope } from "@/lib/core/domain/scanner";
import { nameSuggester, type Suggestion, type SuggesterKind } from "@/lib/core/domain/suggestion";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { TaxonomyParams } from "@/lib/pages/taxonomy/address";
import {
  type ClassifiedTrial,
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
} from "@/lib/store/tables";

import { nameAgent } from "../errors/scope";
import { shareText } from "../shell/share-text";
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
  const failures = new Map(failed.map((failure) => [namePlace(failure), shareTexts(failure)]));
  // Trials still to be classified, and trials of jobs with unread files, by job.
  return { jobs, totals, failures, tags, scanners, unclassified, unread };
}

function shareTexts({ jobRowId, position, isFinished, ...texts }: ClassifiedTrial): ClassifiedTrial {
  return {
    jobRowId,
    position,
    isFinished,
    groupKey: shareText(texts.groupKey),
    failureClass: shareText(texts.failureClass),
    rule: shareText(texts.rule),
  };
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
export function listSuggestions(
  base: TaxonomyBase,
  imported: readonly MachineTag[],
): readonly PlacedSuggestion[] {
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
