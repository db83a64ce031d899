import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { formatCount } from "@/lib/core/format/number";
import type { TaxonomyPage } from "@/lib/pages/taxonomy/page";

import { nameCategory, SOURCE_WORDS } from "./taxonomy-words";

type TogetherRow = TaxonomyPage["together"][number];

function listColumns({ scanners }: TaxonomyPage): readonly DataColumn<TogetherRow>[] {
  const numeric = { numeric: true } as const;
  return [
    column("Class", ({ failureClass }) => nameCategory("rule", failureClass, scanners)),
    column("Stands with", ({ source, category }) => nameCategory(source, category, scanners), {
      className: "wrap",
    }),
    column("Source", ({ source }) => SOURCE_WORDS[source]),
    column("Trials", ({ nBoth }) => formatCount(nBoth), numeric),
    column(
      "% of class",
      ({ share, nOfClass }) => (
        <span title={`of ${formatCount(nOfClass)} trials of the class`}>{(share * 100).toFixed(1)}</span>
      ),
      numeric,
    ),
    column("Expected", ({ expected }) => expected.toFixed(1), {
      ...numeric,
      title: "Trials expected by chance",
    }),
  ];
}

export function TogetherTable({ page }: { page: TaxonomyPage }) {
  return (
    <Section title="Occurring together" note="More often than chance, over trials that did not pass">
      {page.together.length === 0 ? (
        <p className="muted">
          No failure class occurs with a tag of another source more often than by chance.
        </p>
      ) : (
        <DataTable
          caption="Occurring together"
          className="table-compact"
          columns={listColumns(page)}
          rows={page.together}
          rowKey={({ failureClass, source, category }) => `${failureClass} ${source} ${category}`}
        />
      )}
    </Section>
  );
}
