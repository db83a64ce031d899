import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { capitalise, FAILURE_NOUNS } from "@/lib/core/format/words";
import { errorsHref } from "@/lib/pages/errors/address";
import type { JobOverview } from "@/lib/pages/job/overview";
import type { TasksPanel } from "@/lib/pages/job/tasks";
import { triageHref } from "@/lib/pages/triage/address";

import { JobTasks, type TasksProps } from "./tasks";

/** The tasks that failed, each with what happened. */
export function JobFailures({ overview, ...props }: TasksProps & { overview: JobOverview }) {
  const { page, panel } = props;
  const { nFailedTasks } = overview;
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
  const counted = listFailures(panel).map(({ outcome, nTasks }) => ({
    ...{ outcome, nTasks },
    nTrials: page.job.groups.reduce((sum, { counts }) => sum + counts[outcome], 0),
  }));
  const [worst] = counted.toSorted((a, b) => b.nTrials - a.nTrials);
  if (worst === undefined || counted.length < 2) return "";
  const { outcome, nTrials, nTasks } = worst;
  const noun = capitalise(FAILURE_NOUNS[outcome]);
  return `${noun}s cost most: ${formatPlural(nTrials, "trial")} in ${formatPlural(nTasks, "task")}.`;
}

type Failed = keyof typeof FAILURE_NOUNS;

function listFailures({ outcomes }: TasksPanel) {
  return outcomes.flatMap(({ value, count }) =>
    value in FAILURE_NOUNS ? { outcome: value as Failed, nTasks: count } : [],
  );
}
