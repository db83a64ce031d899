import type { Route } from "next";

import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { jobHref } from "@/lib/pages/address/href";

export function TrialNotFound({ jobKey }: { jobKey: string }) {
  const job: Route = jobHref(jobKey);
  return (
    <PageFrame crumbs={[RUNS, { label: jobKey, href: job }, { label: "Not found" }]}>
      <PageTitle title="Trial not found" />
      <Notice
        title="This trial is not in the open folders"
        actions={
          <>
            <ButtonLink href={job}>Its job</ButtonLink>
            <ButtonLink href="/">All jobs</ButtonLink>
          </>
        }
      >
        The link may be incomplete, its folder was deleted, a resumed job replaced the trial, or its job is
        not in the open folders. Its reviews are kept.
      </Notice>
    </PageFrame>
  );
}
