import type { NextRequest } from "next/server";

import { formatCurvesCsv } from "@/lib/charts/curve-csv";
import { getComparePage } from "@/lib/queries/compare-page";

import { readCompareRequest } from "../search-params";

/** The curves of the address as CSV, levels first, then the paired differences. */
export async function GET(request: NextRequest): Promise<Response> {
  const params = readCompareRequest(request.nextUrl.searchParams);
  const { comparison } = await getComparePage(params);
  if (comparison === null) return new Response("Choose at least two groups.\n", { status: 404 });
  const levels = comparison.groups.map((group) => ({
    job: group.entry.job.name,
    group: group.group.key,
    versus: null,
    curve: group.curve,
    recorded: group.recorded,
  }));
  const differences = comparison.pairs.map((pair) => ({
    job: pair.first.entry.job.name,
    group: pair.first.group.key,
    versus: `${pair.second.entry.job.name}: ${pair.second.group.key}`,
    curve: pair.difference,
    recorded: new Map<number, number>(),
  }));
  const csv = formatCurvesCsv([...levels, ...differences], {
    key: comparison.key,
    threshold: params.threshold,
    missing: params.missing,
    tasks: params.tasks,
  });
  return new Response(csv, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="pass-at-k.csv"',
    },
  });
}
