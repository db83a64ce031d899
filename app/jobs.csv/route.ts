import { serveJobs } from "@/lib/pages/jobs/download";

export const GET = (request: Request) => serveJobs("csv", request);
