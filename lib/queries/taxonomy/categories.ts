import "server-only";

import { compareNames } from "@/lib/domain/compare-text";
import type { ScanExtent } from "@/lib/domain/scanner";
import { SUGGESTER_KINDS, type SuggesterKind } from "@/lib/domain/suggestion";
import { computeWilsonInterval, type RateInterval, type Unavailable } from "@/lib/stats";
import { namePlace, type RowPlace } from "@/lib/store";
import type { FailureClass } from "@/lib/triage/classes";

import type { CategoryWeights, WeightedShare } from "./weights";
import { createKnowledge, sumTrials, type TaxonomyBase, type TaxonomyScope } from "./base";

/** Who gives a category: a kind of machine, or reviewers. Equal names of two sources are two categories. */
export const TAG_SOURCES = [...SUGGESTER_KINDS, "reviewer"] as const;

export type TagSource = (typeof TAG_SOURCES)[number];

/** A trial that somebody judged. */
export interface ReviewedTrial extends RowPlace {
  readonly key: string;
  readonly groupKey: string;
  readonly isFinished: boolean;
  /** What scanners could read; null while not all have. */
  readonly extent: ScanExtent | null;
  /** Of all standing judgments, as the codebook calls them today; each once. */
  readonly categories: readonly string[];
}

export interface CategoryRow {
  readonly source: TagSource;
  /** Name of the tool of imported tags; null of other sources. */
  readonly tool: string | null;
  /** Class of the rules, id of the scanner, else the category itself. */
  readonly category: string;
  /** Trials that have it, finished or not. */
  readonly nTrials: number;
  /** Jobs with such trials. */
  readonly jobKeys: readonly string[];
  /** Out of the finished trials, those that did not pass, and those reviewed, as far as the source read them. Of reviewers the first two are weighted, null where no weights are known; null of other tools, of which nobody knows what they read. */
  readonly ofAll: RateInterval | WeightedShare | null;
  readonly ofFailed: RateInterval | WeightedShare | null;
  readonly ofReviewed: RateInterval | Unavailable | null;
}

/** A category on one trial. */
export interface Use extends RowPlace {
  readonly source: TagSource;
  readonly tool: string | null;
  readonly category: string;
  readonly isFinished: boolean;
  /** Null for a trial that passed or still runs, and while its job is not classified. */
  readonly failureClass: FailureClass | null;
  readonly isReviewed: boolean;
}

/** Every category of every source on the trials of a scope. */
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

/** Trials that a category is out of. */
export interface Denominators {
  readonly nFinished: number;
  readonly nFailed: number;
  readonly nReviewed: number;
}

/** Counts, for a category, the trials that its source read. */
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

/** Categories of all sources, by source and then by trials; equal names of two sources are never joined. */
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
