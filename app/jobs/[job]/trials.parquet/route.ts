import { serveDownload } from "@/lib/queries/download";
import { getTrialsDownload } from "@/lib/queries/trials-download";

import { readTrialsRequest } from "../search-params";

/** The trials table as Parquet: the filters and order of the address, every page. */
export async function GET(request: Request, { params }: RouteContext<"/jobs/[job]/trials.parquet">) {
  const jobKey = (await params).job;
  const open = () => getTrialsDownload(jobKey, readTrialsRequest(request.url));
  return serveDownload({ format: "parquet", url: request.url }, open);
}
