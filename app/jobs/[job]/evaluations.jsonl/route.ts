import { serveFile } from "@/lib/queries/shell/download";
import { getEvaluationsDownload } from "@/lib/queries/job/evaluations-download";

import { readTrialsRequest } from "@/lib/addresses/trials-list";

/** The evaluation of every trial that matches the URL's filters, one JSON line each. */
export async function GET(request: Request, { params }: RouteContext<"/jobs/[job]/evaluations.jsonl">) {
  const jobKey = (await params).job;
  return serveFile(() => getEvaluationsDownload(jobKey, readTrialsRequest(request.url)));
}
