import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { Count } from "@/components/ui/values";
import { WrappedName } from "@/components/ui/wrapped-name";
import { jobHref } from "@/lib/pages/address/href";
import { datasetHref, HARDEST_TASKS } from "@/lib/pages/datasets/address";
import type { DatasetRow } from "@/lib/pages/datasets/list";

const COLUMNS: readonly DataColumn<DatasetRow>[] = [
  column(
    "Dataset",
    ({ id, label }) => (
      <Link href={datasetHref(id)} data-row-link="">
        {label}
      </Link>
    ),
    { isRowHeader: true, phone: "first", className: "name" },
  ),
  count("Groups", ({ nGroups }) => nGroups),
  count("Jobs", ({ nJobs }) => nJobs),
  column(
    "Tasks",
    ({ id, nTasks }) => (
      <Count value={nTasks} href={datasetHref(id, HARDEST_TASKS)} title="Tasks, hardest first" />
    ),
    { numeric: true, phone: "labelled" },
  ),
  count("Trials", ({ nTrials }) => nTrials),
  column(
    "Newest job",
    ({ newest: { key, name } }) => (
      <Link href={jobHref(key)}>
        <WrappedName name={name} />
      </Link>
    ),
    { phone: "second", className: "wrap name" },
  ),
  column("Finished", ({ newest }) => <TimeText time={newest.when} narrow />, {
    room: "minor",
    className: "muted",
    phone: "end",
  }),
];

function count(header: string, read: (row: DatasetRow) => number): DataColumn<DatasetRow> {
  return column(header, (row) => <Count value={read(row)} />, { numeric: true, phone: "labelled" });
}

export function DatasetsTable({ rows }: { rows: readonly DatasetRow[] }) {
  return (
    <DataTable
      caption="Datasets"
      className="table-lines"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ id }) => id}
      heading={({ isNamed }, at) => {
        if (isNamed || (at > 0 && rows[at - 1]?.isNamed === false)) return null;
        return (
          <>
            No dataset recorded <span className="muted">One row for groups with exactly the same tasks</span>
          </>
        );
      }}
    />
  );
}
