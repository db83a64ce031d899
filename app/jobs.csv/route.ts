import { serveJobs } from "@/lib/queries/jobs/download";

export const GET = (request: Request) => serveJobs("csv", request);
