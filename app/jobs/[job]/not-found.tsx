import { JobNearNames } from "@/components/jobs/job-near-names";
import { PageFrame } from "@/components/shell/page-frame";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { listJobNames } from "@/lib/queries/job-page";

export default async function NotFound() {
  const jobs = await listJobNames();
  return (
    <PageFrame crumbs={[{ label: "Jobs", href: "/" }, { label: "Not found" }]}>
      <PageTitle title="Job not found" />
      <Notice title="No such job is open" actions={<ButtonLink href="/">All jobs</ButtonLink>}>
        No folder of a job with this name is among the open ones. If the job was here a moment ago, its folder
        was deleted or renamed on disk; what reviewers said about its trials is kept.
        <JobNearNames jobs={jobs} />
      </Notice>
    </PageFrame>
  );
}
