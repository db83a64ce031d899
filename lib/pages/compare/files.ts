import "server-only";
import { formatCurvesCsv } from "@/lib/core/charts/curve-csv";
import { NotFoundError } from "@/lib/core/domain/app-error";
import { refuseUnknown } from "@/lib/pages/address/address";
import { type CompareFilter, readCompareRequest } from "@/lib/pages/compare/address";

import { type Comparison, type FoundGroup, getComparePage } from "./page";

/** @throws ValidationError for an unknown value; NotFoundError with fewer than two groups */
export async function readComparison(url: string) {
  const filter = readCompareRequest(url);
  const { comparison, unknown } = await getComparePage(filter);
  refuseUnknown([...(unknown.length === 0 ? [] : ["g"]), ...(comparison?.unknown ?? [])]);
  if (comparison === null) throw new NotFoundError("Choose at least two groups.");
  return { comparison, filter };
}

/** @throws as {@link readComparison} */
export async function getCurvesCsv(url: string): Promise<string> {
  const { comparison, filter } = await readComparison(url);
  return formatComparisonCsv(comparison, filter);
}

function nameInFile({ runs }: FoundGroup) {
  return {
    job: runs.map(({ job }) => job.name).join(" + "),
    group: [...new Set(runs.map(({ group }) => group.key))].join(" + "),
  };
}

/** Levels first, then paired differences. */
export function formatComparisonCsv(comparison: Comparison, filter: CompareFilter): string {
  const levels = comparison.groups.map((group) => ({
    ...nameInFile(group),
    versus: null,
    curve: group.curve,
    recorded: group.recorded,
  }));
  const differences = comparison.pairs.map(({ first, second, difference }) => ({
    ...nameInFile(first),
    versus: Object.values(nameInFile(second)).join(": "),
    curve: difference,
  }));
  const { threshold, missing, rule, tasks } = filter;
  return formatCurvesCsv([...levels, ...differences], {
    key: comparison.key,
    threshold,
    missing,
    rule,
    tasks,
  });
}

/** Ignores the k of the page. @throws as {@link readComparison} */
export async function getCurvesFile(url: string) {
  const { groups, charts, caption } = (await readComparison(url)).comparison;
  const title = groups.map(({ label }) => label).join(", ");
  return { charts: charts.map((chart) => ({ ...chart, chosen: null })), title, caption };
}
