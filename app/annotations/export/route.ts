import { exportJsonl, getAnnotationStore } from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";

export const dynamic = "force-dynamic";

/** The annotations as JSONL, schema `assay.annotation/1`; `?history=1` adds replaced and withdrawn versions. */
export async function GET(request: Request): Promise<Response> {
  const history = new URL(request.url).searchParams.get("history") === "1";
  try {
    let lines = "";
    for await (const line of exportJsonl(getAnnotationStore(), { history })) lines += line;
    return new Response(lines, {
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
