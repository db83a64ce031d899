import { serveJobs } from "@/lib/queries/jobs/download";

/** The jobs list as CSV. */
export const GET = (request: Request) => serveJobs("csv", request);
