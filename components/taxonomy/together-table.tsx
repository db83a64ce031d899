import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import type { DataColumn } from "@/components/ui/table-columns";
import { formatCount } from "@/lib/core/format/number";
import type { TaxonomyPage } from "@/lib/pages/taxonomy/page";

import { nameCategory, SOURCE_WORDS } from "./taxonomy-words";

type TogetherRow = TaxonomyPage["together"][number];

function listColumns({ scanners }: TaxonomyPage): readonly DataColumn<TogetherRow>[] {
  const numeric = { numeric: true } as const;
  return [
    {
      id: "class",
      header: "Class",
      cell: ({ failureClass }) => nameCategory("rule", failureClass, scanners),
    },
    {
      id: "category",
      header: "Stands with",
      meta: { className: "wrap" },
      cell: ({ source, category }) => nameCategory(source, category, scanners),
    },
    { id: "source", header: "Source", cell: ({ source }) => SOURCE_WORDS[source] },
    { id: "both", header: "Trials", meta: numeric, cell: ({ nBoth }) => formatCount(nBoth) },
    {
      id: "share",
      header: "% of class",
      meta: numeric,
      cell: ({ share, nOfClass }) => (
        <span title={`of ${formatCount(nOfClass)} trials of the class`}>{(share * 100).toFixed(1)}</span>
      ),
    },
    {
      id: "expected",
      header: "Expected",
      meta: { ...numeric, title: "Trials that chance alone would give" },
      cell: ({ expected }) => expected.toFixed(1),
    },
  ];
}

export function TogetherTable({ page }: { page: TaxonomyPage }) {
  return (
    <Section title="What stands together" note="More often than chance, over trials that did not pass">
      {page.together.length === 0 ? (
        <p className="muted">
          No class of failures stands with a tag of another source more often than chance would have it.
        </p>
      ) : (
        <DataTable
          caption="What stands together"
          className="table-compact"
          columns={listColumns(page)}
          rows={page.together}
          rowKey={({ failureClass, source, category }) => `${failureClass} ${source} ${category}`}
        />
      )}
    </Section>
  );
}
