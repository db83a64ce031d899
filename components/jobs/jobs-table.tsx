"use client";

import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { JOB_SORTS } from "@/lib/core/fields/jobs.fields";
import { formatPlural } from "@/lib/core/format/number";
import { describePlan } from "@/lib/core/format/words";
import { jobHref } from "@/lib/pages/address/href";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";

import { Finished } from "./cells";
import { JOBS_COLUMNS } from "./columns";
import type { JobsLine } from "./jobs-lines";

import "./jobs-table.css";

/** One row per evals group, because a score belongs to one. Rendered in the browser too: its data is a fifth of its markup. */
export function JobsTable({
  lines,
  params,
  isIndexed,
}: {
  lines: readonly JobsLine[];
  params: JobsParams;
  isIndexed: boolean;
}) {
  return (
    <DataTable
      caption="Jobs, one row per evals group"
      className="jobs-table"
      columns={JOBS_COLUMNS}
      rows={lines}
      rowKey={({ job, group, set, memberOf }) =>
        set === undefined ? `${memberOf ?? ""} ${job.rowId} ${group?.group.key ?? ""}` : set.ref
      }
      rowClass={({ isLast }) => (isLast ? undefined : "continued")}
      wanted={params.columns}
      order={{ ...params, sorts: JOB_SORTS, hrefOf: (order) => jobsHref(params, order) }}
      note={(line) => (line.group === null ? <Note {...line} isIndexed={isIndexed} /> : null)}
    />
  );
}

function Note({ job, nMore, isIndexed }: JobsLine & { isIndexed: boolean }) {
  if (nMore > 0) return <Link href={jobHref(job.key)}>and {formatPlural(nMore, "more group")}</Link>;
  return (
    <span className="muted jobs-note">
      {describeWithoutGroups(job, isIndexed)}
      <Finished job={job} />
    </span>
  );
}

function describeWithoutGroups(job: JobsLine["job"], isIndexed: boolean): string {
  if (!job.isRead) {
    const folders = formatPlural(job.nTrials, "trial folder");
    return `${folders}, ${isIndexed ? "not read: see the load report" : "reading"}`;
  }
  const { planned } = job;
  if (planned === null || planned.count === 0) return "no trials here";
  return `no trials, ${describePlan(planned)}`;
}
