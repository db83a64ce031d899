import { serveTrials } from "@/lib/queries/job/trials-download";

/** The trials table as JSON. */
export const GET = (request: Request, { params }: RouteContext<"/jobs/[job]/trials.json">) =>
  serveTrials("json", request, params);
