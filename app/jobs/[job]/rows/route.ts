import { prepareTrialChunk } from "@/components/job/trials/trial-lines";
import { getJobPage } from "@/lib/queries/job/page";
import { getStore } from "@/lib/queries/shell/catalog";
import { getTrialsPage } from "@/lib/queries/job/trials";

import { readRowRange, readTrialsRequest } from "@/lib/addresses/job";

/** Further rows of the trials table as the page draws them: the filters, order and rows of the address. */
export async function GET(request: Request, { params }: RouteContext<"/jobs/[job]/rows">) {
  const filter = readTrialsRequest(request.url);
  const page = await getJobPage((await params).job, filter.isDivided);
  if (page === null) return new Response("No such job is open.\n", { status: 404 });
  const rows = await getTrialsPage(await getStore(), page.entry, filter, readRowRange(request.url));
  const chunk = prepareTrialChunk(rows, page.groups);
  return Response.json(chunk, { headers: { "cache-control": "no-store" } });
}
