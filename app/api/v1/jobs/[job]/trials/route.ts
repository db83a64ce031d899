import { serveTrialList } from "@/lib/pages/api/lists";

export const GET = (request: Request, { params }: RouteContext<"/api/v1/jobs/[job]/trials">) =>
  serveTrialList(request, params);
