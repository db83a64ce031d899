import Link from "next/link";

import { jobTrialsHref } from "@/app/jobs/[job]/search-params";
import { JOBS_COLUMNS, jobsHref, type JobsColumn, type JobsParams } from "@/app/search-params";
import { AgentName } from "@/components/ui/agent-name";
import { Mark } from "@/components/ui/mark";
import { Seal } from "@/components/ui/seal";
import { type Column, Table } from "@/components/ui/table";
import { groupRef, jobHref } from "@/lib/format/href";
import { formatCount, MISSING } from "@/lib/format/number";
import { formatTime } from "@/lib/format/time";
import type { JobsItem, JobsPage, JobsRow } from "@/lib/queries/jobs-page";

import { CountCell, IntervalCells, MeanCell } from "./group-cells";
import { JudgedCell, listOpen, OpenCell } from "./jobs-cells";
import { IntervalHeading } from "./job-group-lines";

import "./jobs-table.css";

const INTERVAL_WIDTH = 88;

/** Counts of a row that open their trials, in column order, with the outcomes they count; some can be hidden. */
const COUNTS = [
  { name: "passed", outcomes: ["passed"], hideable: false },
  { name: "partial", outcomes: ["partial"], hideable: true },
  { name: "failed", outcomes: ["failed"], hideable: false },
  { name: "errored", outcomes: ["errored", "cancelled"], hideable: false },
  { name: "timeout", outcomes: ["timeout"], hideable: true },
] as const;

function sortable(params: JobsParams, sort: JobsParams["sort"]): Pick<Column, "sortHref" | "sorted"> {
  const isSorted = params.sort === sort;
  const descending = isSorted ? !params.descending : sort !== "job";
  return {
    sortHref: jobsHref(params, { sort, descending }),
    sorted: isSorted ? (params.descending ? "desc" : "asc") : null,
  };
}

/** Columns that the address does not hide, less those in which no row has anything to say. */
function listShown(page: JobsPage, params: JobsParams): ReadonlySet<JobsColumn> {
  const shown = new Set<JobsColumn>(JOBS_COLUMNS.filter((column) => !params.hidden.includes(column)));
  const rows = page.items.flatMap((item) => item.groups);
  if (rows.every((row) => row.counts.partial === 0)) shown.delete("partial");
  if (rows.every((row) => row.costUsd === null)) shown.delete("cost");
  if (page.items.every((item) => item.groups.every((row) => listOpen(item, row).length === 0)))
    shown.delete("open");
  if (rows.every((row) => row.reviews?.nJudged === 0)) shown.delete("judged");
  return shown;
}

function listColumns(shown: ReadonlySet<JobsColumn>, params: JobsParams): readonly Column[] {
  const shows = (column: JobsColumn) => shown.has(column);
  const column = (isShown: boolean, value: Column) => (isShown ? [value] : []);
  return [
    { id: "select", label: <span className="screen-reader">Select</span>, width: 26 },
    { id: "job", label: "Job and dataset", ...sortable(params, "job") },
    { id: "agent", label: "Agent and model" },
    ...column(shows("trials"), {
      id: "trials",
      label: "Trials",
      numeric: true,
      ...sortable(params, "trials"),
    }),
    { id: "mean", label: "Mean", title: "Mean reward", numeric: true, ...sortable(params, "mean") },
    ...column(shows("interval"), {
      id: "width",
      label: "± 95 %",
      numeric: true,
      // The drawn interval says as much; beside the judgments there is no room for both.
      ...(shows("judged") ? { spare: true } : { minor: true }),
    }),
    ...column(shows("interval"), {
      id: "interval",
      label: <IntervalHeading width={INTERVAL_WIDTH} />,
      minor: true,
    }),
    ...column(shows("seal"), { id: "seal", label: "Recomputed" }),
    { id: "passed", label: "Passed", numeric: true },
    ...column(shows("partial"), { id: "partial", label: "Partial", numeric: true, minor: true }),
    { id: "failed", label: "Failed", numeric: true },
    { id: "errored", label: "Error", numeric: true, title: "Errored or cancelled" },
    ...column(shows("timeout"), { id: "timeout", label: "Timeout", numeric: true, minor: true }),
    ...column(shows("open"), {
      id: "open",
      label: "Open",
      numeric: true,
      minor: true,
      title: "Running, and missing: planned or begun without a result",
    }),
    ...column(shows("judged"), {
      id: "judged",
      label: "Disagree",
      numeric: true,
      minor: true,
      title: "Judged trials on which a reviewer contradicts the verifier, of all judged ones",
    }),
    ...column(shows("cost"), {
      id: "cost",
      label: "Cost, $",
      numeric: true,
      spare: true,
      ...sortable(params, "cost"),
    }),
    { id: "finished", label: "Finished", numeric: true, ...sortable(params, "finished") },
  ];
}

/** The jobs list: one row per evals group, because that is what a score belongs to, grouped under its job. */
export function JobsTable({ page, params, year }: { page: JobsPage; params: JobsParams; year: number }) {
  const shown = listShown(page, params);
  const columns = listColumns(shown, params);
  return (
    <Table caption="Jobs, one row per evals group" className="jobs-table" columns={columns}>
      {page.items.map((item) => (
        <tbody key={item.entry.job.key} className="jobs-item">
          {item.groups.length === 0 ? (
            <EmptyJobRow item={item} nColumns={columns.length} year={year} />
          ) : (
            item.groups.map((row, index) => (
              <GroupRow key={row.group.key} item={item} row={row} index={index} shown={shown} year={year} />
            ))
          )}
        </tbody>
      ))}
    </Table>
  );
}

function JobCell({ item, index, dataset }: { item: JobsItem; index: number; dataset: string }) {
  const { job } = item.entry;
  const single = item.groups.length <= 1;
  if (index === 0) {
    return (
      <td className="name">
        <span className="jobs-name">
          <Link href={jobHref(job.key)} data-row-link="" prefetch={false} title={job.folder || job.name}>
            {job.name}
          </Link>
          {single ? (
            <span className="jobs-dataset" title={dataset}>
              {dataset}
            </span>
          ) : null}
        </span>
      </td>
    );
  }
  return <td className="muted">{index === 1 ? dataset : ""}</td>;
}

interface GroupRowProps {
  readonly item: JobsItem;
  readonly row: JobsRow;
  readonly index: number;
  readonly shown: ReadonlySet<JobsColumn>;
  readonly year: number;
}

function GroupRow({ item, row, index, shown, year }: GroupRowProps) {
  const shows = (column: JobsColumn) => shown.has(column);
  const { job } = item.entry;
  const { counts, group } = row;
  const isLast = index === item.groups.length - 1;
  return (
    <tr className={isLast ? undefined : "continued"}>
      <td>
        <input
          type="checkbox"
          name="g"
          value={groupRef(job.key, group.key)}
          form="compare-groups"
          aria-label={`Select ${group.agent} of ${job.name}`}
        />
      </td>
      <JobCell item={item} index={index} dataset={group.source ?? "adhoc"} />
      <td>
        <AgentName identity={row.identity} agent={group.agent} model={group.model} />
      </td>
      {shows("trials") ? <TrialsCell item={item} row={row} /> : null}
      <MeanCell summary={row} />
      {shows("interval") ? (
        <IntervalCells
          summary={row}
          identity={row.identity}
          width={INTERVAL_WIDTH}
          isWidthSpare={shows("judged")}
        />
      ) : null}
      {shows("seal") ? (
        <td>
          <Link className="quiet" href={jobHref(job.key, { tab: "verification" })} prefetch={false}>
            <RowSeal item={item} row={row} isFirst={index === 0} />
          </Link>
        </td>
      ) : null}
      {COUNTS.filter(({ name, hideable }) => !hideable || shows(name)).map(({ name, outcomes, hideable }) => (
        <CountCell
          key={name}
          count={outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)}
          minor={hideable}
          href={jobTrialsHref(job.key, { groups: [group.key], outcomes })}
        />
      ))}
      {shows("open") ? <OpenCell item={item} row={row} /> : null}
      {shows("judged") ? <JudgedCell jobKey={job.key} row={row} /> : null}
      {shows("cost") ? (
        <td
          className={row.costUsd === null ? "numeric spare unknown" : "numeric spare"}
          title={`${row.nWithCost} of ${row.trials.length} trials report a cost`}
        >
          {row.costUsd === null ? MISSING : row.costUsd.toFixed(2)}
        </td>
      ) : null}
      <td className="numeric muted">{index === 0 ? <FinishedCell item={item} year={year} /> : null}</td>
    </tr>
  );
}

/** The group's seal; a mismatch of the whole job shows on its first row, so that no list can hide it. */
function RowSeal({ item, row, isFirst }: { item: JobsItem; row: JobsRow; isFirst: boolean }) {
  const { seal } = row.group;
  if (isFirst && item.nJobMismatches > 0 && seal !== "mismatch") {
    return <Seal seal="mismatch" words="job counter" />;
  }
  if (seal === "exact" && !row.hasRecordedMetric) return <Seal seal={seal} words="files exact" />;
  return <Seal seal={seal} ulps={row.ulps} />;
}

function TrialsCell({ item, row }: { item: JobsItem; row: JobsRow }) {
  const { nPlanned } = item;
  const finished = row.trials.filter((trial) => trial.state === "finished").length;
  const planned = item.groups.length === 1 && nPlanned !== null ? nPlanned : row.trials.length;
  return (
    <td className="numeric">
      {formatCount(finished)}
      {planned > finished ? <span className="muted"> of {formatCount(planned)}</span> : null}
    </td>
  );
}

function FinishedCell({ item, year }: { item: JobsItem; year: number }) {
  const { state } = item.entry.job;
  if (state === "running" || state === "interrupted") {
    return (
      <span className="status-word" title={item.when?.text}>
        <Mark status={state === "running" ? "running" : "missing"} />
        {state}
      </span>
    );
  }
  return <span title={item.when?.text}>{formatTime(item.when, year)}</span>;
}

function EmptyJobRow({ item, nColumns, year }: { item: JobsItem; nColumns: number; year: number }) {
  const nPlanned = item.nPlanned;
  return (
    <tr>
      <td />
      <JobCell item={item} index={0} dataset="" />
      <td className="muted" colSpan={nColumns - 3}>
        {nPlanned === null || nPlanned === 0
          ? "no trials here"
          : `no trials here, ${formatCount(nPlanned)} recorded in result.json`}
      </td>
      <td className="numeric muted">
        <FinishedCell item={item} year={year} />
      </td>
    </tr>
  );
}
