import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { JobCopies } from "@/components/job/copies";
import { JobHead, JobTabs, JobWaffle } from "@/components/job/head/head";
import { RerunCard } from "@/components/job/head/rerun";
import { JobReadingPage } from "@/components/job/reading";
import { JobSinceLast } from "@/components/job/since-last";
import { listUnknownJobColumns } from "@/components/job/unknown-columns";
import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { JobTroubles } from "@/components/triage/job-troubles";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { PanelBoundary } from "@/components/ui/panel-boundary";
import { decodeSegment } from "@/lib/core/domain/segment";
import { listUnknownJobValues, parseJobParams } from "@/lib/pages/job/address";
import { getJobOverview } from "@/lib/pages/job/overview";
import { getJobPage, type JobPage } from "@/lib/pages/job/page";
import { getRerun } from "@/lib/pages/job/rerun";
import { getSinceLast } from "@/lib/pages/job/since-last";
import { getStoreOfJob } from "@/lib/pages/shell/catalog";
import { getDerivedDetailsState } from "@/lib/pages/shell/derived-details-state";
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
  const asked = parseJobParams(search);
  const page = await getJobPage(decodeSegment((await params).job), asked.isDivided, asked.groupsFrom);
  if (page === null) notFound();
  if (page.reading !== null) return <JobReadingPage job={page.job} reading={page.reading} />;
  const store = await getStoreOfJob(page.job.key);
  const [overview, corrected, troubles, rerun] = await Promise.all([
    getJobOverview(store, page.job, await getDerivedDetailsState(page.job)),
    getJobCorrections(page),
    getJobTroubles(store, page.job),
    getRerun(store, page.job),
  ]);
  // A job without failures opens at its tasks.
  const isFirst = search["tab"] === undefined && overview.nFailedTasks === 0;
  const jobParams = isFirst ? parseJobParams(search, "tasks") : asked;
  const view = { page, params: jobParams, overview };
  return (
    <PageFrame
      crumbs={[RUNS, { label: page.job.name }]}
      unknown={[...listUnknownJobValues(search), ...listUnknownJobColumns(jobParams)]}
    >
      <JobHead {...view} corrected={corrected} rerun={rerun === null ? null : <RerunCard rerun={rerun} />} />
      <JobCopies jobKey={page.job.key} copies={page.copies} />
      <JobTroubles jobKey={page.job.key} troubles={troubles} />
      <JobWaffle page={page} overview={overview} />
      <PanelBoundary what="What changed since the last run">
        <DelayedSuspense fallback={null}>{drawSinceLast(page)}</DelayedSuspense>
      </PanelBoundary>
      <JobTabs {...view} />
      <JobPanel {...view} />
    </PageFrame>
  );
}

async function drawSinceLast({ job }: JobPage) {
  return <JobSinceLast jobKey={job.key} panel={await getSinceLast(job)} />;
}
