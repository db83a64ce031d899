import { serveAllTrials } from "@/lib/queries/job/trials-download";

/** The trials of all jobs as Parquet. */
export const GET = (request: Request) => serveAllTrials("parquet", request);
