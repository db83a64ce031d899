import { getCurvesCsv } from "@/lib/queries/compare/files";

import { readCompareRequest } from "@/lib/addresses/compare";

/** The curves of the address as CSV. */
export async function GET(request: Request): Promise<Response> {
  const csv = await getCurvesCsv(readCompareRequest(request.url));
  if (csv === null) return new Response("Choose at least two groups.\n", { status: 404 });
  return new Response(csv, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="pass-at-k.csv"',
    },
  });
}
