import { formatSetup } from "@/lib/format/agent-settings";
import { jobPageHref, type JobParams, trialsFileHref } from "@/lib/addresses/job";
import { AgentMark } from "@/components/ui/agent-mark";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Mark, StatusWord } from "@/components/ui/mark";
import { pack } from "@/components/ui/packed";
import { Pager } from "@/components/ui/pager";
import { type Column, Table } from "@/components/ui/table";
import type { TASK_SORTS } from "@/lib/domain/job-filter";
import { PAGE_PARAMS } from "@/lib/domain/list-page";
import { formatCount, formatPlural } from "@/lib/format/number";
import { SUSPECT_WORDS } from "@/lib/format/words";
import type { JobGroup, JobPage } from "@/lib/queries/job/page";
import type { TasksPanel } from "@/lib/queries/job/tasks";

import { DownloadMenu } from "@/components/jobs/download-menu";
import {
  type CountRows,
  JobChips,
  JobFacet,
  listHiddenTasks,
  NoJobRows,
  type TaskColumn,
  TaskColumns,
} from "../filters";
import { prepareTaskLines } from "./task-lines";
import { JobTaskRows } from "./task-rows";
import { NoTrials } from "../trials/no-trials";

import "../job-page.css";

const REVIEW_WORDS = {
  any: "reviewed",
  none: "not reviewed",
  disagrees: "disagrees with the verifier",
} as const;

function sortable(
  jobKey: string,
  params: JobParams,
  sort: (typeof TASK_SORTS)[number],
): Pick<Column, "sortHref" | "sorted"> {
  const isSorted = params.taskSort === sort;
  const descending = isSorted ? !params.descending : sort !== "task";
  return {
    sortHref: jobPageHref(jobKey, params, { taskSort: sort, descending }),
    sorted: isSorted ? (params.descending ? "desc" : "asc") : null,
  };
}

function listColumns(page: JobPage, panel: TasksPanel, params: JobParams): readonly Column[] {
  const { key } = page.entry.job;
  const shows = (column: TaskColumn) => !listHiddenTasks(params).includes(column);
  const nEnded = commonCount(panel);
  const isAlone = page.groups.length === 1;
  return [
    { id: "task", label: "Task", ...sortable(key, params, "task") },
    ...page.shown.groups.map((group) => ({
      id: group.group.key,
      label: <GroupHeading group={group} groups={page.groups} />,
    })),
    ...(isAlone
      ? []
      : [
          {
            id: "passed",
            label: nEnded === null ? "Passed" : `Passed of ${nEnded}`,
            numeric: true,
            ...sortable(key, params, "passed"),
          },
        ]),
    ...(panel.isPartial
      ? [
          {
            id: "reward",
            label: "Mean reward",
            numeric: true,
            title: "Over the attempts that have one",
            ...sortable(key, params, "reward"),
          },
        ]
      : []),
    ...(shows("pattern") ? [{ id: "pattern", label: "Pattern" }] : []),
    ...(shows("reviewed")
      ? [{ id: "reviewed", label: "Reviewed", numeric: true, ...sortable(key, params, "reviewed") }]
      : []),
    ...(shows("cost")
      ? [{ id: "cost", label: "Mean cost, $", numeric: true, minor: true, ...sortable(key, params, "cost") }]
      : []),
    ...(shows("duration")
      ? [
          {
            id: "duration",
            label: "Median duration",
            numeric: true,
            minor: true,
            ...sortable(key, params, "duration"),
          },
        ]
      : []),
  ];
}

/** The number of ended attempts that every shown task has; null when they differ. */
function commonCount({ rows }: TasksPanel): number | null {
  const first = rows[0]?.nEnded ?? null;
  return rows.every((row) => row.nEnded === first) ? first : null;
}

function GroupHeading({ group, groups }: { group: JobGroup; groups: readonly JobGroup[] }) {
  const isTwice = groups.filter((other) => other.group.agent === group.group.agent).length > 1;
  return (
    <span className="agent-name" title={group.group.key}>
      <AgentMark identity={group.identity} />
      <span className="cut">
        {group.setup === null
          ? isTwice
            ? (group.group.model ?? group.group.agent)
            : group.group.agent
          : formatSetup(group.setup)}
      </span>
    </span>
  );
}

/** The tasks tab: every attempt as a mark, in the order they ran. */
export function JobTasks({
  page,
  panel,
  params,
  count,
}: {
  page: JobPage;
  panel: TasksPanel;
  params: JobParams;
  count: CountRows;
}) {
  const { key } = page.entry.job;
  if (panel.nTasks === 0) return <NoTrials job={page.entry.job} />;
  const columns = listColumns(page, panel, params);
  return (
    <>
      <TaskFilters panel={panel} params={params} jobKey={key} />
      <JobChips jobKey={key} params={params} />
      {panel.rows.length === 0 ? (
        <NoJobRows noun="task" jobKey={key} params={params} count={count} />
      ) : (
        <>
          <Table caption="Tasks of this job" columns={columns}>
            <JobTaskRows
              packed={pack(prepareTaskLines(panel, page.shown.part))}
              jobKey={key}
              hidden={listHiddenTasks(params)}
              isAlone={page.groups.length === 1}
            />
          </Table>
          <Pager
            page={panel}
            noun="task"
            label="Pages of the tasks"
            hrefOf={(to) => jobPageHref(key, params, { page: to })}
          />
          <TaskKeys panel={panel} />
        </>
      )}
    </>
  );
}

function TaskFilters({ panel, params, jobKey }: { panel: TasksPanel; params: JobParams; jobKey: string }) {
  const facet = { jobKey, params };
  const shown =
    panel.nMatching === panel.nTasks
      ? formatPlural(panel.nTasks, "task")
      : `${formatCount(panel.nMatching)} of ${formatPlural(panel.nTasks, "task")}`;
  return (
    <FilterBar
      end={
        <>
          <span>{shown}</span>
          <TaskColumns jobKey={jobKey} params={params} />
          <DownloadMenu
            what="all trials of this job"
            hrefOf={(format) => trialsFileHref(jobKey, params, format)}
          />
        </>
      }
    >
      <FilterText param="q" label="Filter tasks" resets={PAGE_PARAMS} />
      <JobFacet {...facet} label="Pattern" filter="patterns" values={panel.patterns} />
      <JobFacet
        {...facet}
        label="Status"
        filter="outcomes"
        values={panel.outcomes}
        wordFor={(outcome) => <StatusWord status={outcome} />}
      />
      <JobFacet {...facet} label="Exception" filter="exceptions" values={panel.exceptions} />
      <JobFacet
        {...facet}
        label="Reviewed"
        filter="judgments"
        values={(["any", "none", "disagrees"] as const).map((value) => ({ value, count: null }))}
        wordFor={(value) => REVIEW_WORDS[value]}
      />
    </FilterBar>
  );
}

/** What the line below a mark means. */
function SuspectKey() {
  return (
    <span className="status-word">
      <span className="attempts">
        <span className="attempt-suspect">
          <Mark status="failed" />
        </span>
      </span>
      {SUSPECT_WORDS.full}
    </span>
  );
}

function TaskKeys({ panel }: { panel: TasksPanel }) {
  return (
    <p className="caption table-note">
      <span className="job-keys">
        {panel.outcomes.map(({ value }) => (
          <StatusWord key={value} status={value} />
        ))}
        {panel.suspects.size === 0 ? null : <SuspectKey />}
      </span>
      One mark is one attempt, in the order they ran. Flaky: an agent passed some of its attempts. Split: each
      agent passed all or none. Mean cost excludes unknown costs.
    </p>
  );
}
