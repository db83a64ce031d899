import { rankSimilarNames } from "@/lib/queries/job/rank-similar-names";
import { listJobNames } from "@/lib/queries/job/page";

/** Keys and names of the few open jobs whose names are nearest to the one in the address. */
export async function GET(_request: Request, { params }: RouteContext<"/jobs/[job]/similar-names">) {
  const names = rankSimilarNames((await params).job, await listJobNames());
  return Response.json(names, { headers: { "cache-control": "no-store" } });
}
