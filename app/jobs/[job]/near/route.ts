import { rankNearNames } from "@/components/job/near-rank";
import { listJobNames } from "@/lib/queries/job/page";

/** Keys and names of the few open jobs whose names are nearest to the one in the address. */
export async function GET(_request: Request, { params }: RouteContext<"/jobs/[job]/near">) {
  const near = rankNearNames((await params).job, await listJobNames());
  return Response.json(near, { headers: { "cache-control": "no-store" } });
}
