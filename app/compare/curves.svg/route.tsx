import { CurvesFile, writeColours } from "@/components/charts/curves-file";
import { readCompareRequest } from "@/lib/addresses/compare";
import { getCurvesFile } from "@/lib/queries/compare/files";

/** The curves of the address as one drawing with its caption, in the colours of paper. */
export async function GET(request: Request): Promise<Response> {
  const file = await getCurvesFile(readCompareRequest(request.url));
  if (file === null) return new Response("Choose at least two groups.\n", { status: 404 });
  // Next refuses this import where it stands with the others.
  const { renderToStaticMarkup } = await import("react-dom/server");
  return new Response(writeColours(renderToStaticMarkup(<CurvesFile {...file} />)), {
    headers: {
      "Content-Type": "image/svg+xml; charset=utf-8",
      "Content-Disposition": 'attachment; filename="pass-at-k.svg"',
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}
