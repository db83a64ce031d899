import { getEvaluationFile } from "@/lib/pages/job/evaluations-download";
import { serveFile } from "@/lib/pages/shell/download";

/** The evaluation of one trial as JSON. */
export async function GET(
  _request: Request,
  { params }: RouteContext<"/jobs/[job]/trials/[trial]/evaluation.json">,
) {
  const { job, trial } = await params;
  return serveFile(() => getEvaluationFile(job, trial));
}
