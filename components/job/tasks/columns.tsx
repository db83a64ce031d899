import { AgentMark } from "@/components/ui/agent-mark";
import { type AttemptMark, AttemptMarks } from "@/components/ui/attempt-marks";
import { FoldedName } from "@/components/ui/folded-name";
import { Link } from "@/components/ui/link";
import { type DataColumn, listColumns } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { NOT_PASSED } from "@/lib/core/domain/trial";
import { TASK_COLUMNS, type TaskColumn } from "@/lib/core/fields/tasks.fields";
import { formatSetup } from "@/lib/core/format/agent-settings";
import { formatCost, formatCount, formatReward } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { formatTask } from "@/lib/core/format/words";
import type { JobGroup } from "@/lib/pages/job/page";
import type { TasksPanel } from "@/lib/pages/job/tasks";
import { trialPageHref } from "@/lib/pages/trial/address";
import { trialsPageHref, writeTrialsList } from "@/lib/pages/trials/address";

type Row = TasksPanel["rows"][number];

/** Holds only what is rendered, because every row is sent. */
export interface TaskLine extends Omit<Row, "position" | "cells"> {
  readonly jobKey: string;
  readonly prefix: string;
  readonly why: string;
  readonly firstFailed: string | null;
  /** One per group with a column, with as many attempts as fit; null without attempts at the task. */
  readonly cells: readonly ({
    readonly nPassed: number;
    readonly nEnded: number;
    readonly marks: readonly AttemptMark[];
    readonly nMore: number;
  } | null)[];
}

type TaskGroup = Pick<JobGroup["group"], "key" | "agent" | "model"> & Pick<JobGroup, "identity" | "setup">;

export interface TaskTable {
  /** True for the tab of failures, whose rows open the first failed attempt. */
  readonly isFailed: boolean;
  readonly groups: readonly TaskGroup[];
  readonly isAlone: boolean;
  readonly isPartial: boolean;
  /** Ended attempts of every shown task; null if they differ. */
  readonly nEnded: number | null;
}

const LABEL_LENGTH = 30;

const CELLS: Readonly<Record<TaskColumn, DataColumn<TaskLine>["cell"]>> = {
  task: ({ jobKey, taskName, prefix }) => (
    <Link
      className="job-task"
      href={trialsPageHref(jobKey, { tasks: [taskName] })}
      data-row-link=""
      title={taskName}
    >
      <FoldedName name={formatTask({ taskName })} prefix={prefix} />
    </Link>
  ),
  passed: ({ nEnded, nPassed }) => (nEnded === 0 ? <Unknown /> : <Count value={nPassed} />),
  reward: ({ meanReward }) => (meanReward === null ? <Unknown /> : formatReward(meanReward)),
  pattern: (line) => <Pattern {...line} />,
  reviewed: ({ reviews }) =>
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
  cost: ({ meanCostUsd }) => (meanCostUsd === null ? <Unknown /> : formatCost(meanCostUsd)),
  duration: ({ medianDurationMs }) =>
    medianDurationMs === null ? <Unknown /> : formatDuration(medianDurationMs),
};

export const TASKS_COLUMNS = listColumns<TaskLine, TaskColumn>(TASK_COLUMNS, CELLS);

/** The name of a failed task opens its first failed attempt. */
const FAILED_CELL: DataColumn<TaskLine>["cell"] = (line) =>
  line.firstFailed === null ? (
    CELLS.task(line)
  ) : (
    <Link
      className="job-task"
      href={trialPageHref(line.jobKey, line.firstFailed, { list: FAILED_LIST })}
      data-row-link=""
      title={`First failed attempt at ${line.taskName}`}
    >
      <FoldedName name={formatTask(line)} prefix={line.prefix} />
    </Link>
  );

const WHY_COLUMN: DataColumn<TaskLine> = {
  id: "why",
  header: "Why",
  enableHiding: false,
  meta: { className: "wrap", phone: "second" },
  cell: ({ jobKey, taskName, why }) => (
    <Link className="quiet job-why" href={trialsPageHref(jobKey, { tasks: [taskName] })}>
      {why}
    </Link>
  ),
};

export function listTaskColumns({ groups, isAlone, isPartial, isFailed, nEnded }: TaskTable) {
  const passed = nEnded === null ? "Passed" : `Passed of ${nEnded}`;
  return TASKS_COLUMNS.flatMap((column): readonly DataColumn<TaskLine>[] => {
    if (column.id === "task") {
      const attempts = groups.map((group, at) => groupColumn(group, groups, isAlone, at));
      return isFailed ? [{ ...column, cell: FAILED_CELL }, ...attempts, WHY_COLUMN] : [column, ...attempts];
    }
    if (column.id === "passed") return isAlone ? [] : [{ ...column, header: passed }];
    if (column.id === "reward" && !isPartial) return [];
    return [isFailed && SELDOM.has(column.id) ? { ...column, startsHidden: true } : column];
  });
}

const SELDOM: ReadonlySet<string> = new Set<TaskColumn>(["pattern", "reviewed", "cost"]);

const FAILED_LIST = writeTrialsList({ outcomes: [...NOT_PASSED] });

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
        <span className="inline-row">
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
