import { AgentMark } from "@/components/ui/agent-mark";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { formatCount } from "@/lib/core/format/number";
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

export function JobTags({ page, panel }: { page: JobPage; panel: TagsPanel }) {
  const { rows, nCategories, state } = panel;
  if (rows.length === 0) return state === "reading" ? <DerivedDetailsReading what="Error tags" /> : null;
  return (
    <Section
      title="Error tags"
      note={`Causes recorded by verifiers, judges and analyses; a trial may have several${nCategories > rows.length ? `. The ${formatCount(rows.length)} most frequent of ${formatCount(nCategories)} are listed` : ""}`}
    >
      {state === "reading" ? <DerivedDetailsOutdated /> : null}
      <DataTable
        caption="Error tags by category"
        columns={listTagColumns(page)}
        rows={rows}
        rowKey={({ category }) => category}
      />
    </Section>
  );
}
