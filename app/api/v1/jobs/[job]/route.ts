import { serveJob } from "@/lib/queries/api/lists";

/** A job. */
export const GET = (request: Request, { params }: RouteContext<"/api/v1/jobs/[job]">) =>
  serveJob(request, params);
