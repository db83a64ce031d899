import { readExportRequest } from "@/lib/pages/annotations/address";
import { getAnnotationsDownload } from "@/lib/pages/annotations/export";
import { serveFile } from "@/lib/pages/shell/download";

export const dynamic = "force-dynamic";

/**
 * Exports judgments: `?format=`, by default JSON Lines; `?history=1` adds replaced and withdrawn versions; `?queue=`, `?job=` and
 * `?reviewer=` filter.
 */
export const GET = ({ url, headers }: Request) =>
  serveFile(() => getAnnotationsDownload(readExportRequest(url), headers));
