import { serveTrials } from "@/lib/pages/job/trials-download";

export const GET = (request: Request, { params }: RouteContext<"/jobs/[job]/trials.json">) =>
  serveTrials("json", request, params);
