import "server-only";

import { formatCurvesCsv } from "@/lib/charts/curve-csv";
import type { CompareFilter } from "@/lib/addresses/compare";

import { type Comparison, getComparePage } from "./page";

/** The curves of the page's comparison as {@link formatComparisonCsv} writes them; null with fewer than two groups. */
export async function getCurvesCsv(filter: CompareFilter): Promise<string | null> {
  const { comparison } = await getComparePage(filter);
  return comparison === null ? null : formatComparisonCsv(comparison, filter);
}

/** The curves of a comparison as CSV, levels first, then paired differences. */
export function formatComparisonCsv(comparison: Comparison, filter: CompareFilter): string {
  const levels = comparison.groups.map((group) => ({
    job: group.job.name,
    group: group.group.key,
    versus: null,
    curve: group.curve,
    recorded: group.recorded,
  }));
  const differences = comparison.pairs.map(({ first, second, difference }) => ({
    job: first.job.name,
    group: first.group.key,
    versus: `${second.job.name}: ${second.group.key}`,
    curve: difference,
    recorded: new Map<number, number>(),
  }));
  const { threshold, missing, tasks } = filter;
  return formatCurvesCsv([...levels, ...differences], { key: comparison.key, threshold, missing, tasks });
}

/** What the drawing of a comparison's curves shows, without the k that a page reads; null with fewer than two groups. */
export async function getCurvesFile(
  filter: CompareFilter,
): Promise<(Pick<Comparison, "charts" | "caption"> & { readonly title: string }) | null> {
  const { comparison } = await getComparePage(filter);
  if (comparison === null) return null;
  const { groups, charts, caption } = comparison;
  const title = groups.map(({ label }) => label).join(", ");
  return { charts: charts.map((chart) => ({ ...chart, chosen: null })), title, caption };
}
