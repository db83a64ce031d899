"use client";

import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { jobHref } from "@/lib/addresses/href";
import { JOBS_SORTS, jobsHref, type JobsParams } from "@/lib/addresses/jobs";
import { formatPlural } from "@/lib/format/number";
import { describePlan } from "@/lib/format/words";

import { Finished, type JobsLine } from "./cells";
import { JOBS_COLUMNS } from "./columns";

import "./jobs-table.css";

/**
 * The jobs list: one row per evals group, because that is what a score belongs to, grouped under its job. Drawn in the
 * browser too, as what the server would send of a drawn row is five times what it is drawn from.
 */
export function JobsTable({
  lines,
  params,
  isIndexed,
}: {
  lines: readonly JobsLine[];
  params: JobsParams;
  /** Whether all folders have been read that can be. */
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
      order={{ ...params, sorts: JOBS_SORTS, hrefOf: (order) => jobsHref(params, order) }}
      note={(line) => (line.group === null ? <Note {...line} isIndexed={isIndexed} /> : null)}
    />
  );
}

/** What there is to say of a job without groups, or of the groups that are left out. */
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
  return `no trials here, ${describePlan(planned)}`;
}
