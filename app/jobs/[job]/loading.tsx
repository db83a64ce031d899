import { JobSkeleton } from "@/components/jobs/job-skeleton";
import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";

export default function Loading() {
  return (
    <PageFrame crumbs={[{ label: "Jobs", href: "/" }, { label: "Job" }]}>
      <PageTitle title="Job" summary="Reading its trials" />
      <JobSkeleton />
    </PageFrame>
  );
}
