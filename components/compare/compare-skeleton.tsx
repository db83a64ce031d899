import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";

export function CompareSkeleton() {
  return (
    <PageFrame crumbs={[{ label: "Compare" }]}>
      <PageTitle title="Compare" summary="Reading the groups and resampling their tasks" />
    </PageFrame>
  );
}
