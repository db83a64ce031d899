import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { NOT_PASSED } from "@/lib/core/domain/trial";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { capitalise, FAILURE_NOUNS } from "@/lib/core/format/words";
import { errorsHref } from "@/lib/pages/errors/address";
import type { JobOverview } from "@/lib/pages/job/overview";
import { triageHref } from "@/lib/pages/triage/address";

import { NoTrials } from "../trials/no-trials";
import { JobTasks, type TasksProps } from "./tasks";

export function JobFailures({ overview, ...props }: TasksProps & { overview: JobOverview }) {
  const { page, panel } = props;
  const { nFailedTasks } = overview;
  if (panel.nTasks === 0) return <NoTrials job={page.job} />;
  if (nFailedTasks === 0)
    return (
      <Notice title="No task failed">
        {formatCount(page.groups.reduce((sum, { counts }) => sum + counts.passed, 0))} of{" "}
        {formatPlural(page.job.nTrials, "trial")} passed.
      </Notice>
    );
  return (
    <>
      <p className="job-answer">
        <b>
          {formatCount(nFailedTasks)} of {formatPlural(page.job.nTasks, "task")} did not always pass.{" "}
          {describeWorst(props)}
        </b>{" "}
        <Link href={triageHref({ jobs: [page.job.key] })}>See causes</Link>
        {page.job.nExceptionTypes === 0 ? null : (
          <>
            {" "}
            or{" "}
            <Link href={errorsHref({ jobs: [page.job.key] })}>
              {formatPlural(page.job.nExceptionTypes, "type")} of exceptions
            </Link>
          </>
        )}
      </p>
      <JobTasks {...props} panel={{ ...panel, nTasks: nFailedTasks }} />
    </>
  );
}

function describeWorst({ page, panel }: TasksProps): string {
  const failed = panel.outcomes.flatMap(({ value, count }) => {
    const outcome = NOT_PASSED.find((one) => one === value);
    if (outcome === undefined) return [];
    const nTrials = page.job.groups.reduce((sum, { counts }) => sum + counts[outcome], 0);
    return { noun: FAILURE_NOUNS[outcome], nTasks: count, nTrials };
  });
  const [worst, second] = failed.toSorted((a, b) => b.nTrials - a.nTrials);
  if (worst === undefined || second === undefined || worst.nTrials === second.nTrials) return "";
  const { noun, nTrials, nTasks } = worst;
  return `${capitalise(noun)}s are the most common: ${formatPlural(nTrials, "trial")} in ${formatPlural(nTasks, "task")}.`;
}
