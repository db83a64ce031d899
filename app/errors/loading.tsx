import { PageFrame } from "@/components/shell/page-frame";
import { SkeletonTable } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";

const LABELS = [
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
      <SkeletonTable caption="Exceptions, being counted" labels={LABELS} rows={9} />
    </PageFrame>
  );
}
