import { getJobPage } from "@/lib/queries/job-page";
import { prepareTrialsCsv } from "@/lib/queries/job-page-csv";

import { parseJobParams } from "../search-params";

/** The trials table as CSV: the filters and order of the address, every page. */
export async function GET(request: Request, { params }: RouteContext<"/jobs/[job]/trials.csv">) {
  const page = await getJobPage((await params).job);
  if (page === null) return new Response("No such job is open.\n", { status: 404 });
  const search = new URL(request.url).searchParams;
  const values = Object.fromEntries([...search.keys()].map((key) => [key, search.getAll(key)]));
  const csv = await prepareTrialsCsv(page.entry, parseJobParams({ ...values, tab: "trials" }));
  const name = page.entry.job.name.replaceAll(/[^\w.-]+/g, "_");
  return new Response(csv, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}-trials.csv"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
