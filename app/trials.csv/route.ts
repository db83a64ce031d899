import { serveAllTrials } from "@/lib/queries/job/trials-download";

/** The trials of all jobs as CSV. */
export const GET = (request: Request) => serveAllTrials("csv", request);
