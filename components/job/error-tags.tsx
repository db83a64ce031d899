import { AgentMark } from "@/components/ui/agent-mark";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { PartPager } from "@/components/ui/pager";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { formatCount } from "@/lib/core/format/number";
import { type ErrorsParams, jobPageHref } from "@/lib/pages/job/address";
import type { TagsPanel } from "@/lib/pages/job/errors";
import type { JobPage } from "@/lib/pages/job/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "./derived-details-reading";

type TagRow = TagsPanel["rows"][number];

function listTagColumns({ job, groups, shown }: JobPage): readonly DataColumn<TagRow>[] {
  return [
    column(
      "Category",
      ({ category }) => (
        <Link href={trialsPageHref(job.key, { tags: [category] })} data-row-link="">
          {category}
        </Link>
      ),
      { className: "name" },
    ),
    column("Trials", (row) => formatCount(row.nTrials), { numeric: true }),
    ...(groups.length < 2 ? [] : shown.groups).map(({ group, identity }, at): DataColumn<TagRow> => ({
      id: group.key,
      header: (
        <span className="agent-name">
          <AgentMark identity={identity} />
          {group.agent}
        </span>
      ),
      meta: { numeric: true, title: group.key },
      cell: ({ category, counts }) => (
        <Count
          value={counts[shown.part.from + at] ?? 0}
          href={trialsPageHref(job.key, { tags: [category], groups: [group.key] })}
        />
      ),
    })),
    column("Named by", ({ sources }) => sources.join(", "), { className: "muted" }),
  ];
}

interface TagsProps {
  readonly page: JobPage;
  readonly panel: TagsPanel;
  readonly params: ErrorsParams;
}

export function JobTags({ page, panel: { rows, part, size, state }, params }: TagsProps) {
  if (rows.length === 0) return state === "reading" ? <DerivedDetailsReading what="Error tags" /> : null;
  return (
    <Section
      title="Error tags"
      note="Causes recorded by verifiers, judges and analyses; a trial may have several"
    >
      {state === "reading" ? <DerivedDetailsOutdated /> : null}
      <DataTable
        caption="Error tags by category"
        columns={listTagColumns(page)}
        rows={rows}
        rowKey={({ category }) => category}
      />
      <PartPager
        part={part}
        size={size}
        noun="error tag"
        label="Pages of the error tags"
        mode="stay"
        hrefOf={(partFrom) => jobPageHref(page.job.key, params, { page: params.page, partFrom })}
      />
    </Section>
  );
}
