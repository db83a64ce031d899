import { serveJobs } from "@/lib/queries/jobs/download";

/** The jobs list as JSON. */
export const GET = (request: Request) => serveJobs("json", request);
