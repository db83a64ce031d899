import { PageFrame } from "@/components/shell/page-frame";
import { SkeletonTable } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";

const LABELS = [
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
      <SkeletonTable caption="Annotations, being read" labels={LABELS} rows={12} />
    </PageFrame>
  );
}
