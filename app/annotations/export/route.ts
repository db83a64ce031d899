import { prepareExport, getAnnotationStore } from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";

export const dynamic = "force-dynamic";

/** The annotations as JSONL, schema `assay.annotation/1`; `?history=1` adds replaced and withdrawn versions. What can still be read of a damaged file, and at its end what cannot. */
export async function GET(request: Request): Promise<Response> {
  const history = new URL(request.url).searchParams.get("history") === "1";
  try {
    const { lines } = await prepareExport(getAnnotationStore(), { history });
    return new Response([...lines].join(""), {
      headers: {
        "content-type": "application/x-ndjson; charset=utf-8",
        "content-disposition": `attachment; filename="annotations${history ? "-history" : ""}.jsonl"`,
        "cache-control": "no-store",
      },
    });
  } catch (error) {
    if (error instanceof StoreError) return new Response(`${error.message}\n`, { status: 503 });
    throw error;
  }
}
