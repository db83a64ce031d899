import { getEvaluationsDownload } from "@/lib/pages/job/evaluations-download";
import { serveFile } from "@/lib/pages/shell/download";
import { readTrialsRequest } from "@/lib/pages/trials/address";

/** The evaluation of every trial that matches the URL's filters, one JSON line each. */
export async function GET(request: Request, { params }: RouteContext<"/jobs/[job]/evaluations.jsonl">) {
  const jobKey = (await params).job;
  return serveFile(() => getEvaluationsDownload(jobKey, readTrialsRequest(request.url)));
}
