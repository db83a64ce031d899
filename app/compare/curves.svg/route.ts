import type { NextRequest } from "next/server";

import { PRINT_FORMS } from "@/components/charts/print-forms";
import { getCurvesSvg } from "@/lib/queries/compare/files";

import { readCompareRequest } from "@/lib/addresses/compare";

/** The curves of the address as one drawing with its caption, in the colours of paper. */
export async function GET(request: NextRequest): Promise<Response> {
  const svg = await getCurvesSvg(readCompareRequest(request.nextUrl.searchParams), PRINT_FORMS);
  if (svg === null) return new Response("Choose at least two groups.\n", { status: 404 });
  return new Response(svg, {
    headers: {
      "Content-Type": "image/svg+xml; charset=utf-8",
      "Content-Disposition": 'attachment; filename="pass-at-k.svg"',
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}
