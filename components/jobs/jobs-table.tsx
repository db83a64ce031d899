"use client";

import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { JOB_SORTS } from "@/lib/core/fields/jobs.fields";
import { formatCost, formatPlural } from "@/lib/core/format/number";
import { describePlan } from "@/lib/core/format/words";
import { jobHref } from "@/lib/pages/address/href";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";
import type { JobsPage } from "@/lib/pages/jobs/page";

import { Finished } from "./cells";
import { JOBS_COLUMNS } from "./columns";
import type { JobsLine } from "./jobs-lines";
import { useLastVisit } from "./new-since";

import "./jobs-table.css";

/** One row per evals group, because a score belongs to one. Rendered in the browser too: its data is a fifth of its markup. */
export function JobsTable({
  lines,
  sections,
  params,
  isIndexed,
}: {
  lines: readonly JobsLine[];
  sections: readonly JobsSection[];
  params: JobsParams;
  isIndexed: boolean;
}) {
  const sinceMs = useLastVisit();
  const isNew = ({ when }: JobsLine["job"]) => sinceMs > 0 && (when?.epochMs ?? 0) > sinceMs;
  const byName = new Map(sections.map((section) => [section.name, section]));
  return (
    <DataTable
      caption="Jobs, one row per evals group"
      className="jobs-table"
      columns={JOBS_COLUMNS}
      rows={lines}
      rowKey={({ job, group, set, memberOf }) =>
        set === undefined ? `${memberOf ?? ""} ${job.rowId} ${group?.group.key ?? ""}` : set.ref
      }
      rowClass={({ isLast, job }) => `${isLast ? "" : "continued"} ${isNew(job) ? "jobs-fresh" : ""}`.trim()}
      wanted={params.columns}
      order={{ ...params, sorts: JOB_SORTS, hrefOf: (order) => jobsHref(params, order) }}
      heading={({ job: { section } }, at) => {
        const own = section === null ? undefined : byName.get(section);
        return own === undefined || lines[at - 1]?.job.section === section ? null : <Heading {...own} />;
      }}
      note={(line) => (line.group === null ? <Note {...line} isIndexed={isIndexed} /> : null)}
    />
  );
}

type JobsSection = JobsPage["sections"][number];

function Heading({ label, href, nJobs, nTrials, costUsd }: JobsSection) {
  const cost = costUsd === null ? "" : `, $${formatCost(costUsd)} known cost`;
  return (
    <span className="row jobs-section">
      {href === null ? label : <Link href={href}>{label}</Link>}
      <span className="muted">
        {formatPlural(nJobs, "job")}, {formatPlural(nTrials, "trial")}
        {cost}
      </span>
    </span>
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
