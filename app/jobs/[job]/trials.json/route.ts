import { serveDownload } from "@/lib/queries/shell/download";
import { getTrialsDownload } from "@/lib/queries/job/trials-download";

import { readTrialsRequest } from "@/lib/addresses/job";

/** The trials table as JSON: the filters and order of the address, every page. */
export async function GET(request: Request, { params }: RouteContext<"/jobs/[job]/trials.json">) {
  const jobKey = (await params).job;
  const open = () => getTrialsDownload(jobKey, readTrialsRequest(request.url));
  return serveDownload({ format: "json", url: request.url }, open);
}
