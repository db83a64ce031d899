import { SkeletonRows } from "@/components/ui/notice";
import { Table } from "@/components/ui/table";

/** A table of a tab whose rows are on their way. */
export function TableSkeleton({
  caption,
  labels,
  rows = 12,
}: {
  caption: string;
  labels: readonly string[];
  rows?: number;
}) {
  return (
    <Table caption={caption} columns={labels.map((label) => ({ id: label, label }))}>
      <SkeletonRows rows={rows} columns={labels.length} />
    </Table>
  );
}
