import { serveDownload } from "@/lib/queries/shell/download";
import { getTrialsDownload } from "@/lib/queries/job/trials-download";

import { readTrialsRequest } from "@/lib/addresses/job";

/** The trials table as CSV: the filters and order of the address, every page. */
export async function GET(request: Request, { params }: RouteContext<"/jobs/[job]/trials.csv">) {
  const jobKey = (await params).job;
  const open = () => getTrialsDownload(jobKey, readTrialsRequest(request.url));
  return serveDownload({ format: "csv", url: request.url }, open);
}
