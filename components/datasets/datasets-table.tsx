import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import type { DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { Count } from "@/components/ui/values";
import { jobHref } from "@/lib/pages/address/href";
import { datasetHref } from "@/lib/pages/datasets/address";
import type { DatasetRow } from "@/lib/pages/datasets/list";

import "./datasets.css";

const COLUMNS: readonly DataColumn<DatasetRow>[] = [
  {
    id: "dataset",
    header: "Dataset",
    meta: { isRowHeader: true, phone: "first", className: "name" },
    cell: ({ id, label }) => (
      <Link href={datasetHref(id)} data-row-link="">
        {label}
      </Link>
    ),
  },
  count("groups", "Groups", ({ nGroups }) => nGroups),
  count("jobs", "Jobs", ({ nJobs }) => nJobs),
  count("tasks", "Tasks", ({ nTasks }) => nTasks),
  count("trials", "Trials", ({ nTrials }) => nTrials),
  {
    id: "newest",
    header: "Newest job",
    meta: { phone: "second", className: "name datasets-newest" },
    cell: ({ newest: { key, name } }) => (
      <Link className="cut" href={jobHref(key)} title={name}>
        {name}
      </Link>
    ),
  },
  {
    id: "when",
    header: "Finished",
    meta: { room: "minor", className: "muted", phone: "end" },
    cell: ({ newest }) => <TimeText time={newest.when} narrow />,
  },
];

function count(id: string, header: string, read: (row: DatasetRow) => number): DataColumn<DatasetRow> {
  return {
    id,
    header,
    meta: { numeric: true, label: header, phone: "labelled" },
    cell: (row) => <Count value={read(row)} />,
  };
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
            No dataset stated <span className="muted">One row for groups of exactly the same tasks</span>
          </>
        );
      }}
    />
  );
}
