import { serveJob } from "@/lib/queries/api/lists";

export const GET = (request: Request, { params }: RouteContext<"/api/v1/jobs/[job]">) =>
  serveJob(request, params);
