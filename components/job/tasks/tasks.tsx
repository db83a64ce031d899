import { ColumnsMenu } from "@/components/ui/columns-menu";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Link } from "@/components/ui/link";
import { StatusWord } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { countAddressBytes, countPageBytes, takeFittingEach } from "@/lib/core/domain/page-bytes";
import { sumBy } from "@/lib/core/domain/sum-by";
import { NOT_PASSED } from "@/lib/core/domain/trial";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { capitalise, FAILURE_NOUNS, SUSPECT_WORDS } from "@/lib/core/format/words";
import { errorsHref } from "@/lib/pages/errors/address";
import type { TasksParams } from "@/lib/pages/job/address";
import type { JobOverview } from "@/lib/pages/job/overview";
import type { JobPage } from "@/lib/pages/job/page";
import type { TasksPanel } from "@/lib/pages/job/tasks";
import { triageHref } from "@/lib/pages/triage/address";

import { chipsOf, describeMatching, FilteredRows, type ListFilter, type ListTab } from "../filters";
import { NoTrials } from "../trials/no-trials";
import { JUDGMENT_WORDS } from "../trials/trial-filters";
import { listTaskColumns, type TaskLine } from "./columns";
import { TasksTable } from "./tasks-table";

import "../job-page.css";

type TaskAttempt = NonNullable<TasksPanel["rows"][number]["cells"][number]>["attempts"][number];

const FILTERS: readonly ListFilter<TasksParams>[] = [
  { label: "Text", off: { text: "" } },
  { label: "Outcome", off: { outcomes: [] } },
  { label: "Exception", off: { exceptions: [] } },
  { label: "Task", off: { tasks: [] }, chips: chipsOf("tasks", String) },
  { label: "Judgment", off: { judgments: [] } },
  { label: "Pattern", off: { patterns: [] } },
];

type TasksProps = ListTab<TasksPanel, TasksParams>;

export function JobTasks({ page, panel, list }: TasksProps) {
  if (panel.nTasks === 0) return <NoTrials job={page.job} />;
  const { params } = list;
  const table = { ...describeTable(page, panel), isFailed: params.tab === "errors" };
  return (
    <>
      <TaskFilters panel={panel} list={list} columns={listTaskColumns(table)} />
      <FilteredRows noun="task" list={list} filters={FILTERS} page={panel}>
        <TasksTable jobKey={page.job.key} table={table} lines={listLines(page, panel)} params={params} />
      </FilteredRows>
      {panel.rows.length === 0 ? null : (
        <p className="caption table-note">
          Each mark is one attempt, in run order. Flaky: an agent passed some of its attempts. Split: each
          agent passed all or none. {panel.suspects.size === 0 ? "" : `Underlined: ${SUSPECT_WORDS.full}. `}
          Mean cost excludes unknown costs.
        </p>
      )}
    </>
  );
}

function describeTable({ groups, shown }: JobPage, { rows, isPartial }: TasksPanel) {
  const first = rows[0]?.nEnded ?? null;
  return {
    groups: shown.groups.map(({ group: { key, agent, model }, identity, setup }) => {
      return { key, agent, model, identity, setup };
    }),
    isAlone: groups.length === 1,
    isPartial,
    nEnded: rows.every((row) => row.nEnded === first) ? first : null,
  };
}

/** Bytes of all marks of a page, and of a mark without its texts. */
const MAX_MARKS_BYTES = 900_000;
const MARK_BYTES = 250;

function listLines({ job, shown: { part } }: JobPage, panel: TasksPanel): readonly TaskLine[] {
  const jobBytes = countAddressBytes(job.key) / 2;
  const lists = panel.rows.flatMap(({ cells }) =>
    cells.slice(part.from, part.from + part.shown).map((cell) => cell?.attempts ?? []),
  );
  const fitting = takeFittingEach(
    lists,
    MAX_MARKS_BYTES,
    // The trial name is sent twice, as text and in the URL; the exception once.
    ({ key, exceptionType }) =>
      MARK_BYTES +
      jobBytes +
      countAddressBytes(key) +
      countPageBytes(key) +
      countPageBytes(exceptionType ?? ""),
  );
  const prefix = findSharedPrefix(panel.rows.map(({ taskName }) => taskName));
  return panel.rows.map(({ position: _, cells, ...task }, row) => ({
    ...task,
    jobKey: job.key,
    prefix,
    ...describeFailures(cells.flatMap((cell) => cell?.attempts ?? [])),
    cells: cells.slice(part.from, part.from + part.shown).map((cell, at) => {
      if (cell === null) return null;
      const shown = fitting[row * part.shown + at] ?? [];
      const { nPassed, nEnded, attempts } = cell;
      return {
        nPassed,
        nEnded,
        nMore: attempts.length - shown.length,
        marks: shown.map(({ key, hasFolder, attempt, outcome, exceptionType }) => ({
          key: hasFolder ? key : null,
          attempt,
          outcome,
          ...(exceptionType === null ? {} : { detail: exceptionType }),
          ...(panel.suspects.has(key) ? { isSuspect: true } : {}),
        })),
      };
    }),
  }));
}

const MOST_NOUNS = 4;
const MOST_NOUN_CHARS = 60;

/** Counts what happened by its noun; exceptions by their types. */
function describeFailures(attempts: readonly TaskAttempt[]): Pick<TaskLine, "why" | "firstFailed"> {
  const failed = NOT_PASSED.flatMap((outcome) =>
    attempts
      .filter((one) => one.outcome === outcome)
      .map(({ exceptionType }) => (outcome === "errored" && exceptionType) || FAILURE_NOUNS[outcome]),
  );
  const nouns = Array.from(sumBy(failed, String), ([noun, n]) =>
    formatPlural(n, noun.slice(0, MOST_NOUN_CHARS)),
  );
  const nMore = nouns.length - MOST_NOUNS;
  const isFailed = ({ hasFolder, outcome }: TaskAttempt) =>
    hasFolder && NOT_PASSED.some((one) => one === outcome);
  return {
    why: [...nouns.slice(0, MOST_NOUNS), ...(nMore > 0 ? [`${nMore} more`] : [])].join(", ").toWellFormed(),
    firstFailed: attempts.find(isFailed)?.key ?? null,
  };
}

function TaskFilters({
  panel,
  list,
  columns,
}: Pick<TasksProps, "panel" | "list"> & { columns: ReturnType<typeof listTaskColumns> }) {
  const { params, hrefOf } = list;
  const facet = facetsOf(params, hrefOf);
  return (
    <FilterBar
      count={describeMatching(panel.nMatching, panel.nTasks, "task")}
      end={
        <ColumnsMenu
          columns={columns}
          wanted={params.columns}
          hrefOf={(wanted) => hrefOf({ columns: wanted, page: params.page })}
        />
      }
    >
      <FilterText label="Filter tasks" />
      {facet("Pattern", "patterns", panel.patterns)}
      {facet("Status", "outcomes", panel.outcomes, (outcome) => (
        <StatusWord status={outcome} />
      ))}
      {facet("Exception", "exceptions", panel.exceptions)}
      {facet(
        "Reviewed",
        "judgments",
        (["any", "none", "disagrees"] as const).map((value) => ({ value, count: null })),
        (value) => JUDGMENT_WORDS[value],
      )}
    </FilterBar>
  );
}

export function JobFailures({ overview, ...props }: TasksProps & { overview: JobOverview }) {
  const { page, panel } = props;
  const { job } = page;
  const { nFailedTasks } = overview;
  if (panel.nTasks === 0) return <NoTrials job={job} />;
  if (nFailedTasks === 0)
    return (
      <Notice title="No task failed">
        {formatCount(page.groups.reduce((sum, { counts }) => sum + counts.passed, 0))} of{" "}
        {formatPlural(job.nTrials, "trial")} passed.
      </Notice>
    );
  return (
    <>
      <p className="job-answer">
        <b>
          {formatCount(nFailedTasks)} of {formatPlural(job.nTasks, "task")} did not always pass.{" "}
          {describeWorst(props)}
        </b>{" "}
        <Link href={triageHref({ jobs: [job.key] })}>See causes</Link>
        {job.nExceptionTypes === 0 ? null : (
          <>
            {" "}
            or{" "}
            <Link href={errorsHref({ jobs: [job.key] })}>
              {formatPlural(job.nExceptionTypes, "type")} of exceptions
            </Link>
          </>
        )}
      </p>
      <JobTasks {...props} panel={{ ...panel, nTasks: nFailedTasks }} />
    </>
  );
}

function describeWorst({ page: { job }, panel }: TasksProps): string {
  const failed = panel.outcomes.flatMap(({ value, count }) => {
    const outcome = NOT_PASSED.find((one) => one === value);
    if (outcome === undefined) return [];
    const nTrials = job.groups.reduce((sum, { counts }) => sum + counts[outcome], 0);
    return { noun: FAILURE_NOUNS[outcome], nTasks: count, nTrials };
  });
  const [worst, second] = failed.toSorted((a, b) => b.nTrials - a.nTrials);
  if (worst === undefined || second === undefined || worst.nTrials === second.nTrials) return "";
  const { noun, nTrials, nTasks } = worst;
  return `${capitalise(noun)}s are the most common: ${formatPlural(nTrials, "trial")} in ${formatPlural(nTasks, "task")}.`;
}
