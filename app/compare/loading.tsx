import { CompareSkeleton } from "@/components/compare/compare-skeleton";
import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";

export default function Loading() {
  return (
    <PageFrame crumbs={[{ label: "Compare" }]}>
      <PageTitle title="Compare" summary="Reading the groups and resampling their tasks" />
      <CompareSkeleton />
    </PageFrame>
  );
}
