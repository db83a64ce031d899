import { AgentMark } from "@/components/ui/agent-mark";
import { type AttemptMark, AttemptMarks } from "@/components/ui/attempt-marks";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import type { DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { formatSetup } from "@/lib/core/format/agent-settings";
import { formatCost, formatCount, formatReward } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { jobTrialsHref } from "@/lib/pages/job/address";
import type { JobGroup } from "@/lib/pages/job/page";
import type { TasksPanel } from "@/lib/pages/job/tasks";

type Row = TasksPanel["rows"][number];

/** Holds only what is rendered, because every row is sent. */
export interface TaskLine extends Omit<Row, "position" | "cells"> {
  readonly jobKey: string;
  readonly prefix: string;
  /** One per group with a column, with as many attempts as fit; null without attempts at the task. */
  readonly cells: readonly ({
    readonly nPassed: number;
    readonly nEnded: number;
    readonly marks: readonly AttemptMark[];
    readonly nMore: number;
  } | null)[];
}

export type TaskGroup = Pick<JobGroup["group"], "key" | "agent" | "model"> &
  Pick<JobGroup, "identity" | "setup">;

export interface TaskTable {
  readonly groups: readonly TaskGroup[];
  readonly isAlone: boolean;
  readonly isPartial: boolean;
  /** Ended attempts of every shown task; null if they differ. */
  readonly nEnded: number | null;
}

const LABEL_LENGTH = 30;

const TASK_COLUMN: DataColumn<TaskLine> = {
  id: "task",
  header: "Task",
  enableHiding: false,
  meta: { className: "name", sort: "task", ascends: true, phone: "first" },
  cell: ({ jobKey, taskName, prefix }) => (
    <Link
      className="job-task"
      href={jobTrialsHref(jobKey, { tasks: [taskName] })}
      data-row-link=""
      title={taskName}
    >
      <FoldedName name={taskName} prefix={prefix} />
    </Link>
  ),
};

export const TASK_COLUMNS: readonly DataColumn<TaskLine>[] = [
  TASK_COLUMN,
  {
    id: "passed",
    header: "Passed",
    meta: { numeric: true, sort: "passed", phone: "score" },
    cell: ({ nEnded, nPassed }) => (nEnded === 0 ? <Unknown /> : <Count value={nPassed} />),
  },
  {
    id: "reward",
    header: "Mean reward",
    meta: { numeric: true, title: "Over the attempts that have one", sort: "reward", phone: "labelled" },
    cell: ({ meanReward }) => (meanReward === null ? <Unknown /> : formatReward(meanReward)),
  },
  {
    id: "pattern",
    header: "Pattern",
    meta: { phone: "second" },
    cell: (line) => <Pattern {...line} />,
  },
  {
    id: "reviewed",
    header: "Reviewed",
    meta: { numeric: true, sort: "reviewed" },
    cell: ({ reviews }) =>
      reviews === null ? (
        <Unknown title="The annotations cannot be read" />
      ) : (
        <>
          <Count value={reviews.nJudged} />
          {reviews.nDisagreeing === 0 ? null : (
            <span className="job-disagrees">{`, ${reviews.nDisagreeing} disagree`}</span>
          )}
        </>
      ),
  },
  {
    id: "cost",
    header: "Mean cost, $",
    meta: { numeric: true, room: "minor", sort: "cost" },
    cell: ({ meanCostUsd }) => (meanCostUsd === null ? <Unknown /> : formatCost(meanCostUsd)),
  },
  {
    id: "duration",
    header: "Median duration",
    meta: { numeric: true, room: "minor", sort: "duration" },
    cell: ({ medianDurationMs }) =>
      medianDurationMs === null ? <Unknown /> : formatDuration(medianDurationMs),
  },
];

export function listTaskColumns({ groups, isAlone, isPartial, nEnded }: TaskTable) {
  const passed = nEnded === null ? "Passed" : `Passed of ${nEnded}`;
  return TASK_COLUMNS.flatMap((column): readonly DataColumn<TaskLine>[] => {
    if (column.id === "task")
      return [column, ...groups.map((group, at) => groupColumn(group, groups, isAlone, at))];
    if (column.id === "passed") return isAlone ? [] : [{ ...column, header: passed }];
    return column.id === "reward" && !isPartial ? [] : [column];
  });
}

function groupColumn(
  group: TaskGroup,
  groups: readonly TaskGroup[],
  isAlone: boolean,
  at: number,
): DataColumn<TaskLine> {
  return {
    id: `group ${group.key}`,
    header: <GroupHeading group={group} groups={groups} />,
    enableHiding: false,
    meta: { label: group.agent.slice(0, LABEL_LENGTH).toWellFormed(), phone: isAlone ? "score" : "labelled" },
    cell: ({ jobKey, cells }) => {
      const cell = cells[at] ?? null;
      if (cell === null) return <Unknown />;
      const { marks, nMore, nPassed, nEnded } = cell;
      return (
        <span className="job-cell">
          <AttemptMarks attempts={marks} jobKey={jobKey} />
          {/* The row's own link lists them all. */}
          {nMore === 0 ? null : <span className="caption">and {formatCount(nMore)} more</span>}
          <span className="job-cell-count">
            {nEnded === 0 ? (
              <Unknown />
            ) : (
              <>
                {nPassed}
                <span className="muted">{`/${nEnded}`}</span>
              </>
            )}
          </span>
        </span>
      );
    },
  };
}

function GroupHeading({ group, groups }: { group: TaskGroup; groups: readonly TaskGroup[] }) {
  const isTwice = groups.filter(({ agent }) => agent === group.agent).length > 1;
  return (
    <span className="agent-name" title={group.key}>
      <AgentMark identity={group.identity} />
      <span className="cut">
        {group.setup === null
          ? isTwice
            ? (group.model ?? group.agent)
            : group.agent
          : formatSetup(group.setup)}
      </span>
    </span>
  );
}

function Pattern({ pattern, nFlaky, nGroups }: TaskLine) {
  if (pattern === null) return <Unknown />;
  if (pattern === "split") return pattern;
  if (pattern !== "flaky") return <span className="muted">{pattern}</span>;
  return nGroups > 1 ? `flaky, ${formatCount(nFlaky)} of ${formatCount(nGroups)}` : pattern;
}
