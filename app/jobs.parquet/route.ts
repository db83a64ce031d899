import { serveDownload } from "@/lib/queries/shell/download";
import { getJobsDownload } from "@/lib/queries/jobs/download";

import { readJobsRequest } from "@/lib/addresses/jobs";

/** The jobs list as Parquet: the filters and order of the address, every page. */
export async function GET(request: Request) {
  return serveDownload({ format: "parquet", url: request.url }, () =>
    getJobsDownload(readJobsRequest(request.url)),
  );
}
