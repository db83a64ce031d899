import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";

import "./compare-skeleton.css";

export function CompareSkeleton() {
  return (
    <PageFrame crumbs={[{ label: "Compare" }]}>
      <PageTitle title="Compare" summary="Reading the groups and resampling their tasks" />
      <div className="compare-skeleton" aria-hidden="true" />
    </PageFrame>
  );
}
