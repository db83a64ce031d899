import { SkeletonRows } from "@/components/ui/notice";
import { Table } from "@/components/ui/table";

const GROUP_COLUMNS = [
  "Agent and model",
  "Mean reward",
  "Recomputed",
  "Passed",
  "Failed",
  "Error",
  "Timeout",
];

/** A job page whose data is on its way: real headings, still bars. */
export function JobSkeleton() {
  return (
    <>
      <Table
        caption="Evals groups, being read"
        columns={GROUP_COLUMNS.map((label) => ({ id: label, label }))}
      >
        <SkeletonRows rows={3} columns={GROUP_COLUMNS.length} />
      </Table>
      <div className="job-tabs">
        <TableSkeleton
          caption="Tasks, being read"
          labels={["Task", "Attempts", "Passed", "Pattern", "Reviewed"]}
        />
      </div>
    </>
  );
}

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
