import { PageFrame } from "@/components/shell/page-frame";
import { SkeletonRows } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";

const COLUMNS = [
  "Exception",
  "Trials",
  "% of trials",
  "Interval",
  "No reward",
  "Reward 0",
  "Partial",
  "Reward 1",
];

export default function Loading() {
  return (
    <PageFrame crumbs={[{ label: "Errors" }]}>
      <PageTitle title="Errors" summary="Counting exceptions" />
      <Table caption="Exceptions, being counted" columns={COLUMNS.map((label) => ({ id: label, label }))}>
        <SkeletonRows rows={9} columns={COLUMNS.length} />
      </Table>
    </PageFrame>
  );
}
