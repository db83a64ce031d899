import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import type { ScanExtent } from "@/lib/core/domain/scanner";
import { SUGGESTER_KINDS, type SuggesterKind } from "@/lib/core/domain/suggestion";
import { computeWilsonInterval, type RateInterval, type Unavailable } from "@/lib/core/stats";
import type { FailureClass } from "@/lib/core/triage/classes";
import { namePlace, type RowPlace } from "@/lib/store/tables";

import { createKnowledge, sumTrials, type TaxonomyBase, type TaxonomyScope } from "./base";
import type { CategoryWeights, WeightedShare } from "./weights";

/** Equal names from two sources are two categories. */
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

export interface CategoryRow {
  readonly source: TagSource;
  readonly tool: string | null;
  /** Class of a rule, id of a scanner, else the category itself. */
  readonly category: string;
  /** Finished or not. */
  readonly nTrials: number;
  readonly jobKeys: readonly string[];
  /**
   * Shares of finished, failed and reviewed trials that the source read. For reviewers, the first two are weighted, and null
   * without weights. Null for other tools, since it is unknown what they read.
   */
  readonly ofAll: RateInterval | WeightedShare | null;
  readonly ofFailed: RateInterval | WeightedShare | null;
  readonly ofReviewed: RateInterval | Unavailable | null;
}

export interface Use extends RowPlace {
  readonly source: TagSource;
  readonly tool: string | null;
  readonly category: string;
  readonly isFinished: boolean;
  /** Null for a passed or running trial, and until its job is classified. */
  readonly failureClass: FailureClass | null;
  readonly isReviewed: boolean;
}

export function listUses(
  { failures, tags }: TaxonomyBase,
  scope: TaxonomyScope,
  reviewed: readonly ReviewedTrial[],
): readonly Use[] {
  const judged = new Set(reviewed.map(namePlace));
  const place = ({ jobRowId, position, isFinished }: RowPlace & { readonly isFinished: boolean }) => {
    const name = namePlace({ jobRowId, position });
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

interface Denominators {
  readonly nFinished: number;
  readonly nFailed: number;
  readonly nReviewed: number;
}

export function createDenominators(
  base: TaxonomyBase,
  scope: TaxonomyScope,
  reviewed: readonly ReviewedTrial[],
): (source: SuggesterKind, category: string) => Denominators {
  const knows = createKnowledge(base);
  return (source, category) => {
    const isKnown = knows(source, category);
    const known = scope.totals.filter(isKnown);
    return {
      nFinished: sumTrials(known.filter(({ isFinished }) => isFinished)),
      nFailed: sumTrials(known.filter(({ failureClass }) => failureClass !== null)),
      nReviewed: reviewed.filter(isKnown).length,
    };
  };
}

/** Sorts by source, then by trials. Equal names from two sources are never merged. */
export function countCategories(
  uses: readonly Use[],
  denominatorsOf: ReturnType<typeof createDenominators>,
  { jobById }: TaxonomyScope,
  nReviewed: number,
  weights: CategoryWeights,
): readonly CategoryRow[] {
  return [...Map.groupBy(uses, nameCategory).values()]
    .flatMap((own): CategoryRow[] => {
      const [first] = own;
      if (first === undefined) return [];
      const { source, tool, category } = first;
      const nOfReviewed = own.filter(({ isReviewed }) => isReviewed).length;
      const head = {
        source,
        tool,
        category,
        nTrials: own.length,
        jobKeys: [...new Set(own.map(({ jobRowId }) => jobById.get(jobRowId)?.key ?? ""))],
      };
      if (source === "reviewer")
        return [
          {
            ...head,
            ofAll: weights.ofAll?.(category) ?? null,
            ofFailed: weights.ofFailed?.(category) ?? null,
            ofReviewed: computeWilsonInterval(nOfReviewed, nReviewed),
          },
        ];
      if (source === "import") return [{ ...head, ofAll: null, ofFailed: null, ofReviewed: null }];
      const of = denominatorsOf(source, category);
      const nFinished = own.filter(({ isFinished }) => isFinished).length;
      const nFailed = own.filter(({ failureClass }) => failureClass !== null).length;
      return [
        {
          ...head,
          ofAll: computeWilsonInterval(nFinished, of.nFinished),
          ofFailed: computeWilsonInterval(nFailed, of.nFailed),
          ofReviewed: computeWilsonInterval(nOfReviewed, of.nReviewed),
        },
      ];
    })
    .toSorted(
      (a, b) =>
        TAG_SOURCES.indexOf(a.source) - TAG_SOURCES.indexOf(b.source) ||
        compareNames(a.tool ?? "", b.tool ?? "") ||
        b.nTrials - a.nTrials ||
        compareNames(a.category, b.category),
    );
}
