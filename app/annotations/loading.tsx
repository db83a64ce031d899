import { PageFrame } from "@/components/shell/page-frame";
import { SkeletonRows } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";

const COLUMNS = [
  "Task and job",
  "Agent",
  "Verifier",
  "Judgment",
  "Categories and note",
  "Reviewer",
  "Saved, UTC",
];

export default function Loading() {
  return (
    <PageFrame crumbs={[{ label: "Annotations" }]}>
      <PageTitle title="Annotations" summary="Reading the judgments" />
      <Table caption="Annotations, being read" columns={COLUMNS.map((label) => ({ id: label, label }))}>
        <SkeletonRows rows={12} columns={COLUMNS.length} />
      </Table>
    </PageFrame>
  );
}
