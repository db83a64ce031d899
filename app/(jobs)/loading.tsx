import { PageFrame } from "@/components/shell/page-frame";
import { SkeletonRows } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";

const COLUMNS = [
  "Job and dataset",
  "Agent and model",
  "Trials",
  "Mean reward",
  "Recomputed",
  "Passed",
  "Failed",
  "Finished",
];

export default function Loading() {
  return (
    <PageFrame crumbs={[{ label: "Jobs" }]}>
      <PageTitle title="Jobs" summary="Reading the folders" />
      <Table caption="Jobs, being read" columns={COLUMNS.map((label) => ({ id: label, label }))}>
        <SkeletonRows rows={12} columns={COLUMNS.length} />
      </Table>
    </PageFrame>
  );
}
