import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { JobAgreementLine } from "@/components/job/agreement-line";
import { JobCopies } from "@/components/job/copies";
import { JobGroups } from "@/components/job/groups/groups";
import { JobLineageSections } from "@/components/job/lineage/lineage";
import { JobReadingPage } from "@/components/job/reading";
import { JobSinceLast } from "@/components/job/since-last";
import { JobTabs } from "@/components/job/tabs";
import { JobTitle } from "@/components/job/title";
import { listUnknownJobColumns } from "@/components/job/unknown-columns";
import { PageFrame } from "@/components/shell/page-frame";
import { JobTroubles } from "@/components/triage/job-troubles";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { PanelBoundary } from "@/components/ui/panel-boundary";
import { decodeSegment } from "@/lib/core/domain/segment";
import { getJobAgreement } from "@/lib/pages/conflicts/page";
import { listUnknownJobValues, parseJobParams } from "@/lib/pages/job/address";
import { getJobLineage } from "@/lib/pages/job/lineage";
import { getJobPage, type JobPage } from "@/lib/pages/job/page";
import { getSinceLast } from "@/lib/pages/job/since-last";
import { getStoreOfJob } from "@/lib/pages/shell/catalog";
import { getJobTroubles } from "@/lib/pages/triage/job-troubles";
import { getJobCorrections } from "@/lib/pages/verifier/groups";

import { JobPanel } from "./job-panel";

export async function generateMetadata({
  params,
  searchParams,
}: PageProps<"/jobs/[job]">): Promise<Metadata> {
  // The same arguments as the page, so that the read is shared.
  const { isDivided, groupsFrom } = parseJobParams(await searchParams);
  const page = await getJobPage(decodeSegment((await params).job), isDivided, groupsFrom);
  return { title: page?.job.name ?? "Not found" };
}

export default async function JobRoute({ params, searchParams }: PageProps<"/jobs/[job]">) {
  const search = await searchParams;
  const jobParams = parseJobParams(search);
  const page = await getJobPage(decodeSegment((await params).job), jobParams.isDivided, jobParams.groupsFrom);
  if (page === null) notFound();
  const crumbs = [{ label: "Jobs", href: "/" }, { label: page.job.name }] as const;
  if (page.reading !== null) return <JobReadingPage job={page.job} reading={page.reading} />;
  const store = await getStoreOfJob(page.job.key);
  const lineage = await getJobLineage(store, page.job);
  const [agreement, corrected, troubles] = await Promise.all([
    getJobAgreement(store, page.job),
    getJobCorrections(page),
    getJobTroubles(store, page.job),
  ]);
  return (
    <PageFrame
      crumbs={crumbs}
      unknown={[...listUnknownJobValues(search), ...listUnknownJobColumns(jobParams)]}
    >
      <JobTitle page={page} params={jobParams} />
      <JobCopies jobKey={page.job.key} copies={page.copies} />
      <JobTroubles jobKey={page.job.key} troubles={troubles} />
      {agreement === null ? null : <JobAgreementLine agreement={agreement} />}
      {page.groups.length === 0 ? null : <JobGroups page={page} params={jobParams} corrected={corrected} />}
      {lineage === null ? null : <JobLineageSections page={page} lineage={lineage} />}
      <PanelBoundary what="What changed since the last run">
        <DelayedSuspense fallback={null}>{drawSinceLast(page)}</DelayedSuspense>
      </PanelBoundary>
      <JobTabs page={page} params={jobParams} />
      <JobPanel page={page} params={jobParams} />
    </PageFrame>
  );
}

async function drawSinceLast({ job }: JobPage) {
  return <JobSinceLast jobKey={job.key} panel={await getSinceLast(job)} />;
}
