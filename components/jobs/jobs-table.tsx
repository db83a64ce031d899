import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { jobHref } from "@/lib/addresses/href";
import { JOBS_SORTS, jobsHref, type JobsParams } from "@/lib/addresses/jobs";
import { countAddressBytes, countPageBytes, takeFittingEach } from "@/lib/domain/page-bytes";
import { formatDifference } from "@/lib/format/agent-settings";
import { formatPlural } from "@/lib/format/number";
import { describePlan } from "@/lib/format/words";
import type { JobsItem, JobsPage, JobsRow } from "@/lib/queries/jobs/page";

import { Finished, type JobsLine } from "./cells";
import { JOBS_COLUMNS } from "./columns";

import "./jobs-table.css";

/** Groups of one job that the jobs list shows; bytes of those of all jobs, and of a group beside its names. */
const MOST_GROUPS = 30;
const MAX_GROUPS_BYTES = 1_000_000;
const GROUP_BYTES = 9_000;

/** The jobs list: one row per evals group, because that is what a score belongs to, grouped under its job. */
export function JobsTable({ page, params }: { page: JobsPage; params: JobsParams }) {
  const lines = listLines(page);
  const isIndexed = page.status.phase === "current" || page.status.phase === "failed";
  return (
    <DataTable
      caption="Jobs, one row per evals group"
      className="jobs-table"
      columns={JOBS_COLUMNS}
      rows={lines}
      rowKey={({ item, group }) => `${item.job.rowId} ${group?.group.key ?? ""}`}
      rowClass={({ isLast }) => (isLast ? undefined : "continued")}
      wanted={params.columns}
      order={{ ...params, sorts: JOBS_SORTS, hrefOf: (order) => jobsHref(params, order) }}
      note={(line) => (line.group === null ? <Note {...line} isIndexed={isIndexed} /> : null)}
    />
  );
}

/** The rows of a page: of each job as many groups as fit, and one that counts the others. */
function listLines({ items }: JobsPage): readonly JobsLine[] {
  const shown = takeFittingEach(
    items.map((item) => item.groups.slice(0, MOST_GROUPS)),
    MAX_GROUPS_BYTES,
    countGroupBytes,
  );
  return items.flatMap((item, at) => {
    const groups = shown[at] ?? [];
    const nMore = item.groups.length - groups.length;
    const rows = nMore > 0 || groups.length === 0 ? [...groups, null] : groups;
    return rows.map((group, index) => ({
      item,
      group,
      isFirst: index === 0,
      isLast: index === rows.length - 1,
      nMore,
    }));
  });
}

/** Its key is sent in the addresses of a row, its names once. */
function countGroupBytes({ group, setups }: JobsRow): number {
  const { key, agent, model, source } = group;
  const settings = (setups?.differences ?? []).map(formatDifference).join("\n");
  return [key, agent, model ?? "", source ?? "", settings].reduce(
    (sum, text) => sum + countPageBytes(text),
    GROUP_BYTES + 9 * countAddressBytes(key),
  );
}

/** What there is to say of a job without groups, or of the groups that are left out. */
function Note({ item, nMore, isIndexed }: JobsLine & { isIndexed: boolean }) {
  if (nMore > 0) return <Link href={jobHref(item.job.key)}>and {formatPlural(nMore, "more group")}</Link>;
  return (
    <span className="muted jobs-note">
      {describeWithoutGroups(item, isIndexed)}
      <Finished item={item} />
    </span>
  );
}

function describeWithoutGroups({ job }: JobsItem, isIndexed: boolean): string {
  if (!job.isRead) {
    const folders = formatPlural(job.nTrials, "trial folder");
    return `${folders}, ${isIndexed ? "not read: see the load report" : "reading"}`;
  }
  const { planned } = job;
  if (planned === null || planned.count === 0) return "no trials here";
  return `no trials here, ${describePlan(planned)}`;
}
