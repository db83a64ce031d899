import type { CatalogSnapshot } from "@/lib/domain/catalog";
import type { VerdictCounts } from "@/lib/domain/verification";

/** Verdicts over all jobs. */
export function sumCounts({ jobs }: CatalogSnapshot): VerdictCounts {
  const sum = { exact: 0, ulp: 0, explained: 0, mismatch: 0, "not-recorded": 0, incomplete: 0 };
  for (const { report } of jobs) {
    sum.exact += report.counts.exact;
    sum.ulp += report.counts.ulp;
    sum.explained += report.counts.explained;
    sum.mismatch += report.counts.mismatch;
    sum["not-recorded"] += report.counts["not-recorded"];
    sum.incomplete += report.counts.incomplete;
  }
  return sum;
}
