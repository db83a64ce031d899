"use client";

import { PageFrame } from "@/components/shell/page-frame";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";

/** What stands in place of a trial that is not there. Drawn in the browser, as every trial's page carries it. */
export function TrialNotFound() {
  return (
    <PageFrame crumbs={[{ label: "Jobs", href: "/" }, { label: "Trial not found" }]}>
      <PageTitle title="Trial not found" />
      <Notice
        title="This trial is not in the open folders"
        actions={<ButtonLink href="/">All jobs</ButtonLink>}
      >
        Its job may not be among the folders that Assay was started with, the address may be cut off, its
        folder was deleted on disk, or a resumed job replaced the trial by one of another name. Find the task
        in its job&apos;s list of trials.
      </Notice>
    </PageFrame>
  );
}
