import Link from "next/link";

import { type JobParams, jobTrialsHref } from "@/app/jobs/[job]/search-params";
import { AttemptMarks } from "@/components/ui/attempt-marks";
import { trialHref } from "@/lib/format/href";
import { formatCost, formatCount, formatReward, MISSING } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import type { JobPage } from "@/lib/queries/job-page";
import type { TasksPanel } from "@/lib/queries/job-page-tasks";

type Row = TasksPanel["rows"][number];
type TaskCell = NonNullable<Row["cells"][number]>;

/** One task of the tasks table: the attempts of every group as marks. */
export function JobTaskRow({
  task,
  page,
  params,
  isPartial,
}: {
  task: Row;
  page: JobPage;
  params: JobParams;
  isPartial: boolean;
}) {
  const shows = (column: JobParams["hidden"][number]) => !params.hidden.includes(column);
  const { key } = page.entry.job;
  return (
    <tr>
      <td className="name">
        <Link
          className="job-task"
          href={jobTrialsHref(key, { tasks: [task.taskName] })}
          data-row-link=""
          prefetch={false}
          title={task.taskName}
        >
          {task.taskName}
        </Link>
      </td>
      {task.cells.map((cell, index) => (
        <td key={page.groups[index]?.group.key ?? index}>
          {cell === null ? <span className="unknown">{MISSING}</span> : <Attempts cell={cell} jobKey={key} />}
        </td>
      ))}
      {page.groups.length === 1 ? null : (
        <td className={task.nPassed === 0 ? "numeric zero" : "numeric"}>
          {task.nEnded === 0 ? MISSING : formatCount(task.nPassed)}
        </td>
      )}
      {isPartial ? (
        <td className={task.meanReward === null ? "numeric unknown" : "numeric"}>
          {formatReward(task.meanReward)}
        </td>
      ) : null}
      {shows("pattern") ? (
        <td className={task.pattern === "flaky" || task.pattern === "split" ? undefined : "muted"}>
          {describePattern(task)}
        </td>
      ) : null}
      {shows("reviewed") ? <ReviewedCell task={task} /> : null}
      {shows("cost") ? (
        <td className={task.meanCostUsd === null ? "numeric minor unknown" : "numeric minor"}>
          {formatCost(task.meanCostUsd)}
        </td>
      ) : null}
      {shows("duration") ? (
        <td className={task.medianDurationMs === null ? "numeric minor unknown" : "numeric minor"}>
          {formatDuration(task.medianDurationMs)}
        </td>
      ) : null}
    </tr>
  );
}

function Attempts({ cell, jobKey }: { cell: TaskCell; jobKey: string }) {
  return (
    <span className="job-cell">
      <AttemptMarks
        attempts={cell.attempts.map((trial) => ({
          key: trial.key,
          attempt: trial.attempt,
          outcome: trial.outcome,
          href: trial.hasFolder ? trialHref(jobKey, trial.key) : null,
          ...(trial.exceptionType === null ? {} : { detail: trial.exceptionType }),
        }))}
      />
      <span className="job-cell-count">
        {cell.nEnded === 0 ? (
          <span className="unknown">{MISSING}</span>
        ) : (
          <>
            {cell.nPassed}
            <span className="muted">/{cell.nEnded}</span>
          </>
        )}
      </span>
    </span>
  );
}

function describePattern(task: Row): string {
  if (task.pattern === null) return MISSING;
  return task.pattern === "flaky" && task.nGroups > 1
    ? `flaky, ${task.nFlaky} of ${task.nGroups}`
    : task.pattern;
}

function ReviewedCell({ task: { reviews } }: { task: Row }) {
  if (reviews === null) {
    return (
      <td className="numeric unknown" title="The annotations cannot be read">
        {MISSING}
      </td>
    );
  }
  return (
    <td className={reviews.nReviewed === 0 ? "numeric zero" : "numeric"}>
      {reviews.nReviewed}
      {reviews.nDisagree === 0 ? null : <span className="job-disagrees">, {reviews.nDisagree} disagree</span>}
    </td>
  );
}
