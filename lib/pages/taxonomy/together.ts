import "server-only";
import { sumBy } from "@/lib/core/domain/sum-by";
import { adjustByHolm, computeCoOccurrence } from "@/lib/core/stats";
import type { FailureClass } from "@/lib/core/triage/classes";

import { createKnowledge, sumTrials, type TaxonomyBase, type TaxonomyScope } from "./base";
import type { ReviewedTrial, TagSource, Use } from "./categories";

const MOST_ROWS = 15;
/** Fewer joint trials say nothing, however rare both are. */
const FEWEST_TOGETHER = 3;
/** Chance of any wrong row in the table. */
const ERROR_RATE = 0.05;

/**
 * Pairs failure classes with other sources' categories over the failed trials that the source read. Keeps pairs that remain
 * significant after Holm's adjustment over all pairs, furthest above chance first.
 */
export function listTogether(
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
    reviewed.flatMap(({ jobRowId, position }) => {
      const failure = base.failures.get(`${String(jobRowId)} ${String(position)}`);
      return failure?.failureClass ?? [];
    }),
    (failureClass) => failureClass,
  );
  return (source, category) => {
    if (source === "reviewer") return judged;
    const known = Map.groupBy(failed.filter(knows(source, category)), ({ failureClass }) => failureClass);
    return new Map(Array.from(known, ([failureClass, own]) => [failureClass, sumTrials(own)]));
  };
}
