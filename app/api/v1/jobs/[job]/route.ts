import { serveJob } from "@/lib/pages/api/lists";

export const GET = (request: Request, { params }: RouteContext<"/api/v1/jobs/[job]">) =>
  serveJob(request, params);
