import { serveDownload } from "@/lib/queries/download";
import { getJobsDownload } from "@/lib/queries/jobs-download";

import { readJobsRequest } from "../search-params";

/** The jobs list as CSV: the filters and order of the address, every page. */
export async function GET(request: Request) {
  return serveDownload({ format: "csv", url: request.url }, () =>
    getJobsDownload(readJobsRequest(request.url)),
  );
}
