import { getAnnotationStore, prepareExport } from "@/lib/annotations";
import { serveFile } from "@/lib/queries/shell/download";

export const dynamic = "force-dynamic";

/** The annotations as JSONL, schema `assay.annotation/1`; `?history=1` adds replaced and withdrawn versions. What can still be read of a damaged file, and at its end what cannot. */
export const GET = ({ url }: Request) =>
  serveFile(async () => {
    const history = new URL(url).searchParams.get("history") === "1";
    const { lines } = await prepareExport(getAnnotationStore(), { history });
    const name = `annotations${history ? "-history" : ""}.jsonl`;
    return { name, contentType: "application/x-ndjson; charset=utf-8", pieces: [...lines].join("") };
  });
