import type { NextRequest } from "next/server";

import { formatCurvesCsv } from "@/lib/charts/curve-csv";
import { getComparePage } from "@/lib/queries/compare-page";

import { readCompareRequest } from "../search-params";

/** The curves of the address as CSV, levels first, then differences from the first group. */
export async function GET(request: NextRequest): Promise<Response> {
  const params = readCompareRequest(request.nextUrl.searchParams);
  const { comparison } = await getComparePage(params);
  if (comparison === null) return new Response("Choose at least two groups.\n", { status: 404 });
  const first = comparison.groups[0];
  const levels = comparison.groups.map((group) => ({
    job: group.entry.job.name,
    group: group.group.key,
    versus: null,
    curve: group.curve,
    recorded: group.recorded,
  }));
  const differences = comparison.pairs.map((pair) => ({
    job: first?.entry.job.name ?? "",
    group: first?.group.key ?? "",
    versus: `${pair.other.entry.job.name}: ${pair.other.group.key}`,
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
