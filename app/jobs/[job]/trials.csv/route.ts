import { serveTrials } from "@/lib/queries/job/trials-download";

/** The trials table as CSV. */
export const GET = (request: Request, { params }: RouteContext<"/jobs/[job]/trials.csv">) =>
  serveTrials("csv", request, params);
