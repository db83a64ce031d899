import { serveJobs } from "@/lib/queries/jobs/download";

/** The jobs list as Parquet. */
export const GET = (request: Request) => serveJobs("parquet", request);
