import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Suspense } from "react";

import { JobConfig } from "@/components/jobs/job-config";
import { JobDimensions } from "@/components/jobs/job-dimensions";
import { JobExceptions, JobTags } from "@/components/jobs/job-errors";
import { JobFigures } from "@/components/jobs/job-figures";
import { JobGroups } from "@/components/jobs/job-groups";
import { TableSkeleton } from "@/components/jobs/job-skeleton";
import { JobTabs } from "@/components/jobs/job-tabs";
import { JobTasks } from "@/components/jobs/job-tasks";
import { JobTitle } from "@/components/jobs/job-title";
import { JobTrials } from "@/components/jobs/job-trials";
import { PageFrame } from "@/components/shell/page-frame";
import { decodeSegment } from "@/lib/format/href";
import { getJobPage, type JobPage } from "@/lib/queries/job-page";
import { getConfigPanel } from "@/lib/queries/job-page-config";
import { getDimensions } from "@/lib/queries/job-page-dimensions";
import { listExceptions, listTags } from "@/lib/queries/job-page-errors";
import { getFiguresPanel } from "@/lib/queries/job-page-figures";
import { getTasksPanel } from "@/lib/queries/job-page-tasks";
import { getTrialsPanel } from "@/lib/queries/job-page-trials";

import { type JobParams, parseJobParams } from "./search-params";

export async function generateMetadata({ params }: PageProps<"/jobs/[job]">): Promise<Metadata> {
  const page = await getJobPage(decodeSegment((await params).job));
  return { title: page?.entry.job.name ?? "Not found" };
}

export default async function JobRoute({ params, searchParams }: PageProps<"/jobs/[job]">) {
  const page = await getJobPage(decodeSegment((await params).job));
  if (page === null) notFound();
  const jobParams = parseJobParams(await searchParams);
  const year = new Date().getUTCFullYear();
  return (
    <PageFrame crumbs={[{ label: "Jobs", href: "/" }, { label: page.entry.job.name }]}>
      <JobTitle page={page} params={jobParams} year={year} />
      {page.groups.length === 0 ? null : <JobGroups page={page} params={jobParams} />}
      <JobTabs page={page} current={jobParams.tab} />
      <JobPanel page={page} params={jobParams} year={year} />
    </PageFrame>
  );
}

async function JobPanel({ page, params, year }: { page: JobPage; params: JobParams; year: number }) {
  const { entry } = page;
  switch (params.tab) {
    case "tasks":
      return <JobTasks page={page} panel={await getTasksPanel(entry, params)} params={params} />;
    case "trials":
      return (
        <JobTrials page={page} panel={await getTrialsPanel(entry, params)} params={params} year={year} />
      );
    case "dimensions":
      return (
        <Suspense
          fallback={
            <TableSkeleton caption="Dimensions, being read" labels={["Dimension", "Mean", "Trials"]} />
          }
        >
          <DimensionsPanel page={page} />
        </Suspense>
      );
    case "errors":
      return (
        <>
          <JobExceptions page={page} rows={listExceptions(entry)} />
          <Suspense
            fallback={
              <TableSkeleton caption="Error tags, being read" labels={["Category", "Trials"]} rows={4} />
            }
          >
            <TagsPanel page={page} />
          </Suspense>
        </>
      );
    case "verification":
      return <JobFigures page={page} panel={getFiguresPanel(entry, params)} params={params} />;
    case "config":
      return <JobConfig page={page} panel={await getConfigPanel(entry)} year={year} />;
  }
}

async function DimensionsPanel({ page }: { page: JobPage }) {
  return <JobDimensions page={page} rows={await getDimensions(page.entry)} />;
}

async function TagsPanel({ page }: { page: JobPage }) {
  return <JobTags page={page} rows={await listTags(page.entry)} />;
}
