import { decodeSegment } from "@/lib/format/href";
import { getStore } from "@/lib/queries/catalog";
import { getJobPage } from "@/lib/queries/job-page";
import { streamTrialsCsv } from "@/lib/queries/job-page-csv";

import { listSearchValues, parseJobParams } from "../search-params";

/** The trials table as CSV: the filters and order of the address, every page. */
export async function GET(request: Request, { params }: RouteContext<"/jobs/[job]/trials.csv">) {
  const page = await getJobPage(decodeSegment((await params).job));
  if (page === null) return new Response("No such job is open.\n", { status: 404 });
  const values = listSearchValues(new URL(request.url).searchParams);
  const pieces = streamTrialsCsv(await getStore(), page.entry, parseJobParams({ ...values, tab: "trials" }));
  const name = page.entry.job.name.replaceAll(/[^\w.-]+/g, "_");
  return new Response(streamText(pieces), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}-trials.csv"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

function streamText(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
}
