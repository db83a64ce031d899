import { ColumnsMenu } from "@/components/ui/columns-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { StatusWord } from "@/components/ui/mark";
import { countAddressBytes, countPageBytes, takeFittingEach } from "@/lib/core/domain/page-bytes";
import { NOT_PASSED, type Outcome } from "@/lib/core/domain/trial";
import { formatPlural } from "@/lib/core/format/number";
import { findSharedPrefix } from "@/lib/core/format/shared-prefix";
import { FAILURE_NOUNS, SUSPECT_WORDS } from "@/lib/core/format/words";
import { jobPageHref, type TasksParams } from "@/lib/pages/job/address";
import type { JobPage } from "@/lib/pages/job/page";
import type { TasksPanel } from "@/lib/pages/job/tasks";

import {
  chipsOf,
  describeMatching,
  type FilteredList,
  FilteredRows,
  type ListFilter,
  ParamFacet,
} from "../filters";
import { NoTrials } from "../trials/no-trials";
import { JUDGMENT_WORDS } from "../trials/trial-filters";
import { listTaskColumns, type TaskLine } from "./columns";
import { TasksTable } from "./tasks-table";

import "../job-page.css";

type TasksList = FilteredList<TasksParams>;

type TaskAttempt = NonNullable<TasksPanel["rows"][number]["cells"][number]>["attempts"][number];

const FILTERS: readonly ListFilter<TasksParams>[] = [
  { label: "Text", off: { text: "" } },
  { label: "Outcome", off: { outcomes: [] } },
  { label: "Exception", off: { exceptions: [] } },
  { label: "Task", off: { tasks: [] }, chips: chipsOf("tasks", String) },
  { label: "Judgment", off: { judgments: [] } },
  { label: "Pattern", off: { patterns: [] } },
];

export interface TasksProps {
  readonly page: JobPage;
  readonly panel: TasksPanel;
  readonly params: TasksParams;
  readonly count: TasksList["count"];
}

export function JobTasks({ page, panel, params, count }: TasksProps) {
  const { key } = page.job;
  if (panel.nTasks === 0) return <NoTrials job={page.job} />;
  const table = { ...describeTable(page, panel), isFailed: params.tab === "errors" };
  const list: TasksList = { params, hrefOf: (change) => jobPageHref(key, params, change), count };
  return (
    <>
      <TaskFilters panel={panel} list={list} columns={listTaskColumns(table)} />
      <FilteredRows noun="task" list={list} filters={FILTERS} page={panel}>
        <TasksTable jobKey={key} table={table} lines={listLines(page, panel)} params={params} />
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
    groups: shown.groups.map(({ group: { key, agent, model }, identity, setup }) => ({
      key,
      agent,
      model,
      identity,
      setup,
    })),
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

function isNotPassed(outcome: Outcome): outcome is (typeof NOT_PASSED)[number] {
  return NOT_PASSED.some((one) => one === outcome);
}

/** Counts what happened by its noun; exceptions by their types. */
function describeFailures(attempts: readonly TaskAttempt[]): Pick<TaskLine, "why" | "firstFailed"> {
  const failed = NOT_PASSED.flatMap((outcome) => attempts.filter((one) => one.outcome === outcome));
  const byNoun = Map.groupBy(
    failed,
    ({ outcome, exceptionType }) =>
      outcome === "errored" && exceptionType !== null
        ? exceptionType
        : FAILURE_NOUNS[outcome as (typeof NOT_PASSED)[number]], // As selected above.
  );
  const nouns = [...byNoun].map(([noun, own]) => formatPlural(own.length, noun.slice(0, MOST_NOUN_CHARS)));
  const nMore = nouns.length - MOST_NOUNS;
  return {
    why: [...nouns.slice(0, MOST_NOUNS), ...(nMore > 0 ? [`${nMore} more`] : [])].join(", ").toWellFormed(),
    firstFailed: attempts.find((one) => one.hasFolder && isNotPassed(one.outcome))?.key ?? null,
  };
}

function TaskFilters({
  panel,
  list,
  columns,
}: {
  panel: TasksPanel;
  list: TasksList;
  columns: ReturnType<typeof listTaskColumns>;
}) {
  const { params, hrefOf } = list;
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
      <ParamFacet list={list} label="Pattern" filter="patterns" values={panel.patterns} />
      <ParamFacet
        list={list}
        label="Status"
        filter="outcomes"
        values={panel.outcomes}
        wordFor={(outcome) => <StatusWord status={outcome} />}
      />
      <ParamFacet list={list} label="Exception" filter="exceptions" values={panel.exceptions} />
      <ParamFacet
        list={list}
        label="Reviewed"
        filter="judgments"
        values={(["any", "none", "disagrees"] as const).map((value) => ({ value, count: null }))}
        wordFor={(value) => JUDGMENT_WORDS[value]}
      />
    </FilterBar>
  );
}
