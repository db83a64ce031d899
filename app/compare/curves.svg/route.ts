import type { NextRequest } from "next/server";

import { PRINT_FORMS } from "@/components/charts/print-forms";
import { describeCoverage, describeMethod } from "@/components/compare/curves-caption";
import { formatCurvesSvg } from "@/lib/charts/curve-svg";
import { getComparePage } from "@/lib/queries/compare-page";

import { readCompareRequest } from "../search-params";

/** The curves of the address as one drawing with its caption, in the colours of paper. */
export async function GET(request: NextRequest): Promise<Response> {
  const params = readCompareRequest(request.nextUrl.searchParams);
  const { comparison } = await getComparePage(params);
  if (comparison === null) return new Response("Choose at least two groups.\n", { status: 404 });
  const svg = formatCurvesSvg(
    comparison.charts,
    {
      title: comparison.groups.map(({ label }) => label).join(", "),
      caption: `${describeMethod(comparison, params)} ${describeCoverage(comparison)}`,
    },
    PRINT_FORMS,
  );
  return new Response(svg, {
    headers: {
      "Content-Type": "image/svg+xml; charset=utf-8",
      "Content-Disposition": 'attachment; filename="pass-at-k.svg"',
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}
