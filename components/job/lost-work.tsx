import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import type { LostPart } from "@/lib/core/domain/lost-part";
import { explainLost, formatLostCost, LOST_WORDS } from "@/lib/core/format/lost-words";
import { formatCount } from "@/lib/core/format/number";

const COLUMNS: readonly DataColumn<LostPart>[] = [
  column("Work", ({ kind }) => LOST_WORDS[kind], { className: "name", isRowHeader: true }),
  column("Count", ({ n }) => formatCount(n), { numeric: true }),
  column(
    "Cost, $",
    (part) => (part.costUsd === null ? <Unknown title="No file records its cost" /> : formatLostCost(part)),
    { numeric: true, title: "Recorded tokens and cost" },
  ),
  column("What is known", (part) => `${explainLost(part)}.`, { className: "wrap" }),
];

export function JobLostWork({ parts }: { parts: readonly LostPart[] }) {
  return parts.length === 0 ? null : (
    <Section title="Lost work" note="Retried, cancelled, missing, or unlike result.json">
      <DataTable caption="Lost work of this job" columns={COLUMNS} rows={parts} rowKey={({ kind }) => kind} />
    </Section>
  );
}
