import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { JobConfig } from "@/components/jobs/job-config";
import { JobDeterminism } from "@/components/jobs/job-determinism";
import { JobDimensions } from "@/components/jobs/job-dimensions";
import { JobExceptions, JobTags } from "@/components/jobs/job-errors";
import { JobFigures } from "@/components/jobs/job-figures";
import { JobGroups } from "@/components/jobs/job-groups";
import { JobLineageSections } from "@/components/jobs/job-lineage";
import { JobReadingPage } from "@/components/jobs/job-reading";
import { JobRubric } from "@/components/jobs/job-rubric";
import { JobSuspects } from "@/components/jobs/job-suspects";
import { JobTabs } from "@/components/jobs/job-tabs";
import { JobTasks } from "@/components/jobs/job-tasks";
import { JobTitle } from "@/components/jobs/job-title";
import { JobTrials } from "@/components/jobs/job-trials";
import { PageFrame } from "@/components/shell/page-frame";
import { decodeSegment } from "@/lib/format/href";
import { getStore } from "@/lib/queries/catalog";
import { getJobPage, type JobPage } from "@/lib/queries/job-page";
import { getConfigPanel } from "@/lib/queries/job-page-config";
import { getDimensions } from "@/lib/queries/job-page-dimensions";
import { getTags, listExceptions } from "@/lib/queries/job-page-errors";
import { getFiguresPanel } from "@/lib/queries/job-page-figures";
import { getJobLineage } from "@/lib/queries/job-page-lineage";
import { getRubricPanel } from "@/lib/queries/job-page-rubric";
import { getTasksPanel } from "@/lib/queries/job-page-tasks";
import { getTrialsPanel } from "@/lib/queries/job-page-trials";
import { getDeterminism, getSuspects } from "@/lib/queries/verifier-checks";

import { type JobParams, parseJobParams } from "./search-params";

export async function generateMetadata({ params }: PageProps<"/jobs/[job]">): Promise<Metadata> {
  const page = await getJobPage(decodeSegment((await params).job));
  return { title: page?.entry.job.name ?? "Not found" };
}

export default async function JobRoute({ params, searchParams }: PageProps<"/jobs/[job]">) {
  const jobParams = parseJobParams(await searchParams);
  const page = await getJobPage(decodeSegment((await params).job), jobParams.isDivided, jobParams.groupsFrom);
  if (page === null) notFound();
  const { job } = page.entry;
  const crumbs = [{ label: "Jobs", href: "/" }, { label: job.name }] as const;
  if (page.reading !== null) return <JobReadingPage entry={page.entry} reading={page.reading} />;
  const lineage = await getJobLineage(await getStore(), page.entry);
  return (
    <PageFrame crumbs={crumbs}>
      <JobTitle page={page} params={jobParams} />
      {page.groups.length === 0 ? null : <JobGroups page={page} params={jobParams} />}
      {lineage === null ? null : <JobLineageSections page={page} lineage={lineage} />}
      <JobTabs page={page} params={jobParams} />
      <JobPanel page={page} params={jobParams} />
    </PageFrame>
  );
}

async function JobPanel({ page, params }: { page: JobPage; params: JobParams }) {
  const { entry } = page;
  const store = await getStore();
  // What verifiers say of dimensions and tags is gathered by recorded group.
  const whole = (await getJobPage(entry.job.key, false, params.groupsFrom)) ?? page;
  switch (params.tab) {
    case "tasks":
      return <JobTasks page={page} panel={await getTasksPanel(store, entry, params)} params={params} />;
    case "trials": {
      const panel = await getTrialsPanel(store, entry, params);
      return <JobTrials page={page} panel={panel} params={params} />;
    }
    case "dimensions":
      return <JobDimensions page={whole} panel={await getDimensions(store, entry, params)} params={params} />;
    case "rubric":
      return <JobRubric page={whole} panel={await getRubricPanel(store, entry, params)} params={params} />;
    case "errors":
      return (
        <>
          <JobExceptions
            page={page}
            rows={await listExceptions(
              store,
              entry,
              page.shown.groups.map(({ group }) => group.key),
            )}
          />
          <JobSuspects page={whole} panel={await getSuspects(store, entry)} />
          <JobTags page={whole} panel={await getTags(store, entry)} />
        </>
      );
    case "verification":
      return (
        <>
          <JobFigures page={whole} panel={await getFiguresPanel(store, entry, params)} params={params} />
          <JobDeterminism page={whole} panel={await getDeterminism(store, entry)} />
        </>
      );
    case "config":
      return <JobConfig page={page} panel={await getConfigPanel(store, entry)} />;
  }
}
