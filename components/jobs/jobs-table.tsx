import Link from "next/link";

import { jobsHref, type JobsColumn, type JobsParams } from "@/app/search-params";
import { AgentName } from "@/components/ui/agent-name";
import { IntervalScale } from "@/components/ui/interval-plot";
import { Mark } from "@/components/ui/mark";
import { Seal } from "@/components/ui/seal";
import { type Column, Table } from "@/components/ui/table";
import { groupRef, jobHref } from "@/lib/format/href";
import { formatCount, MISSING } from "@/lib/format/number";
import { formatTime } from "@/lib/format/time";
import type { JobsItem, JobsPage, JobsRow } from "@/lib/queries/jobs-page";

import { CountCell, IntervalCells, MeanCell } from "./group-cells";

import "./jobs-table.css";

const COUNTS = ["passed", "partial", "failed", "errored", "timeout", "missing"] as const;

function sortable(params: JobsParams, sort: JobsParams["sort"]): Pick<Column, "sortHref" | "sorted"> {
  const isSorted = params.sort === sort;
  const descending = isSorted ? !params.descending : sort !== "job";
  return {
    sortHref: jobsHref(params, { sort, descending }),
    sorted: isSorted ? (params.descending ? "desc" : "asc") : null,
  };
}

function listColumns(params: JobsParams): readonly Column[] {
  const shows = (column: JobsColumn) => !params.hidden.includes(column);
  const column = (isShown: boolean, value: Column) => (isShown ? [value] : []);
  return [
    { id: "select", label: <span className="screen-reader">Select</span>, width: 26 },
    { id: "job", label: "Job and dataset", ...sortable(params, "job") },
    { id: "agent", label: "Agent and model" },
    ...column(shows("trials"), { id: "trials", label: "Trials", numeric: true, ...sortable(params, "trials") }),
    { id: "mean", label: "Mean reward", numeric: true, ...sortable(params, "mean") },
    ...column(shows("interval"), { id: "width", label: "± 95 %", numeric: true, minor: true }),
    ...column(shows("interval"), { id: "interval", label: <IntervalScale />, minor: true }),
    ...column(shows("seal"), { id: "seal", label: "Recomputed" }),
    { id: "passed", label: "Passed", numeric: true },
    ...column(shows("partial"), { id: "partial", label: "Partial", numeric: true, minor: true }),
    { id: "failed", label: "Failed", numeric: true },
    { id: "errored", label: "Error", numeric: true, title: "Errored, cancelled or unreadable" },
    ...column(shows("timeout"), { id: "timeout", label: "Timeout", numeric: true, minor: true }),
    ...column(shows("missing"), { id: "missing", label: "Missing", numeric: true, minor: true }),
    ...column(shows("cost"), { id: "cost", label: "Cost, $", numeric: true, minor: true, ...sortable(params, "cost") }),
    { id: "finished", label: "Finished", numeric: true, ...sortable(params, "finished") },
  ];
}

/** The jobs list: one row per evals group, because that is what a score belongs to, grouped under its job. */
export function JobsTable({ page, params, year }: { page: JobsPage; params: JobsParams; year: number }) {
  return (
    <Table caption="Jobs, one row per evals group" columns={listColumns(params)}>
      {page.items.map((item) => (
        <tbody key={item.entry.job.key} className="jobs-item">
          {item.groups.length === 0 ? (
            <EmptyJobRow item={item} params={params} year={year} />
          ) : (
            item.groups.map((row, index) => (
              <GroupRow key={row.group.key} item={item} row={row} index={index} params={params} year={year} />
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
      <td className="name jobs-name">
        <Link href={jobHref(job.key)} data-row-link="" prefetch={false} title={job.folder || job.name}>
          {job.name}
        </Link>
        {single ? <span className="jobs-dataset">{dataset}</span> : null}
      </td>
    );
  }
  return <td className="muted">{index === 1 ? dataset : ""}</td>;
}

interface RowProps {
  readonly item: JobsItem;
  readonly params: JobsParams;
  readonly year: number;
}

function GroupRow({ item, row, index, params, year }: RowProps & { row: JobsRow; index: number }) {
  const shows = (column: JobsColumn) => !params.hidden.includes(column);
  const { job } = item.entry;
  const { counts, group } = row;
  const isLast = index === item.groups.length - 1;
  const shown = {
    passed: counts.passed,
    partial: counts.partial,
    failed: counts.failed,
    errored: counts.errored + counts.cancelled + counts.unreadable,
    timeout: counts.timeout,
    missing: counts.missing + counts.unscored,
  };
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
      {shows("interval") ? <IntervalCells summary={row} identity={row.identity} /> : null}
      {shows("seal") ? (
        <td>
          <Link className="quiet" href={jobHref(job.key, { tab: "verification" })} prefetch={false}>
            <Seal seal={group.seal} ulps={row.ulps} />
          </Link>
        </td>
      ) : null}
      {COUNTS.filter((name) => name === "passed" || name === "failed" || name === "errored" || shows(name)).map((name) => (
        <CountCell
          key={name}
          count={shown[name]}
          minor={name !== "passed" && name !== "failed" && name !== "errored"}
          href={jobHref(job.key, { tab: "trials", outcome: name, agent: group.agent })}
        />
      ))}
      {shows("cost") ? (
        <td
          className={row.costUsd === null ? "numeric minor unknown" : "numeric minor"}
          title={`${row.nWithCost} of ${row.trials.length} trials report a cost`}
        >
          {row.costUsd === null ? MISSING : row.costUsd.toFixed(2)}
        </td>
      ) : null}
      <td className="numeric muted">{index === 0 ? <FinishedCell item={item} year={year} /> : null}</td>
    </tr>
  );
}

function TrialsCell({ item, row }: { item: JobsItem; row: JobsRow }) {
  const { nPlanned } = item;
  const finished = row.trials.length - row.counts.running - row.counts.missing;
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

function EmptyJobRow({ item, params, year }: RowProps) {
  const nColumns = listColumns(params).length;
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
