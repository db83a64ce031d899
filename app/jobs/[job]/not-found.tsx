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
        It may have been renamed or deleted on disk since the link was made, or its folder is not among the
        open ones.
        <JobNearNames jobs={jobs} />
      </Notice>
    </PageFrame>
  );
}
