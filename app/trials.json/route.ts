import { serveAllTrials } from "@/lib/queries/job/trials-download";

/** The trials of all jobs as JSON. */
export const GET = (request: Request) => serveAllTrials("json", request);
