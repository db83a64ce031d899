import { listJobNames } from "@/lib/pages/job/page";
import { rankSimilarNames } from "@/lib/pages/job/rank-similar-names";

/** Keys and names of the few open jobs with names nearest to the one in the URL. */
export async function GET(_request: Request, { params }: RouteContext<"/jobs/[job]/similar-names">) {
  const names = rankSimilarNames((await params).job, await listJobNames());
  return Response.json(names, { headers: { "cache-control": "no-store" } });
}
