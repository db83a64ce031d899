import { serveTrials } from "@/lib/queries/job/trials-download";

/** The trials table as Parquet. */
export const GET = (request: Request, { params }: RouteContext<"/jobs/[job]/trials.parquet">) =>
  serveTrials("parquet", request, params);
