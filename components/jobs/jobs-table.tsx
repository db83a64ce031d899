import { JOBS_COLUMNS, jobsHref, type JobsColumn, type JobsParams } from "@/lib/addresses/jobs";
import { pack } from "@/components/ui/packed";
import { type Column, Table } from "@/components/ui/table";
import type { JobsPage } from "@/lib/queries/jobs/page";

import { IntervalHeading } from "@/components/job/groups/group-lines";
import { type JobLine, prepareJobLines } from "./jobs-lines";
import { JobsRows } from "./jobs-rows";

import "./jobs-table.css";

const INTERVAL_WIDTH = 88;
/** Place among the counts of a line. */
const PARTIAL = 1;

function sortable(params: JobsParams, sort: JobsParams["sort"]): Pick<Column, "sortHref" | "sorted"> {
  const isSorted = params.sort === sort;
  const descending = isSorted ? !params.descending : sort !== "job";
  return {
    sortHref: jobsHref(params, { sort, descending }),
    sorted: isSorted ? (params.descending ? "desc" : "asc") : null,
  };
}

/** Columns that the address does not hide, less those in which no row has anything to say. */
function listShown(lines: readonly JobLine[], params: JobsParams): ReadonlySet<JobsColumn> {
  const shown = new Set<JobsColumn>(JOBS_COLUMNS.filter((column) => !params.hidden.includes(column)));
  const rows = lines.flatMap((line) => line.groups);
  if (rows.every((row) => row.counts[PARTIAL] === 0)) shown.delete("partial");
  if (rows.every((row) => row.cost === undefined)) shown.delete("cost");
  if (rows.every((row) => row.open === undefined)) shown.delete("open");
  if (rows.every((row) => row.reviews === undefined)) shown.delete("judged");
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
      label: "95 % interval",
      numeric: true,
      // The drawn interval says as much; beside the judgments there is no room for both.
      ...(shows("judged") ? { spare: true } : { minor: true }),
    }),
    ...column(shows("interval"), {
      id: "interval",
      label: <IntervalHeading width={INTERVAL_WIDTH} />,
      minor: true,
    }),
    ...column(shows("check"), {
      id: "check",
      label: "Check",
      title: "Whether the recorded figures follow from the trials, bit for bit",
    }),
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
export function JobsTable({ page, params }: { page: JobsPage; params: JobsParams }) {
  const lines = prepareJobLines(page);
  const shown = listShown(lines, params);
  const columns = listColumns(shown, params);
  return (
    <Table caption="Jobs, one row per evals group" className="jobs-table" columns={columns}>
      <JobsRows
        packed={pack(lines)}
        shown={[...shown]}
        nColumns={columns.length}
        plotWidth={INTERVAL_WIDTH}
      />
    </Table>
  );
}
