import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { JobConfig } from "@/components/job/config/config";
import { JobDeterminism } from "@/components/job/figures/determinism";
import { JobDimensions } from "@/components/job/dimensions/dimensions";
import { JobExceptions, JobTags } from "@/components/job/errors/errors";
import { JobFigures } from "@/components/job/figures/figures";
import { JobGroups } from "@/components/job/groups/groups";
import { JobLineageSections } from "@/components/job/lineage/lineage";
import { JobReadingPage } from "@/components/job/reading";
import { JobRubric } from "@/components/job/rubric/rubric";
import { JobSuspects } from "@/components/job/figures/suspects";
import { JobTabs } from "@/components/job/tabs";
import { TASK_COLUMNS } from "@/components/job/tasks/columns";
import { JobTasks } from "@/components/job/tasks/tasks";
import { JobTitle } from "@/components/job/title";
import { TRIAL_COLUMNS } from "@/components/job/trials/columns";
import { JobTrials } from "@/components/job/trials/trials";
import { listUnknownColumns } from "@/components/ui/table-columns";
import { PageFrame } from "@/components/shell/page-frame";
import { decodeSegment } from "@/lib/addresses/href";
import { getStore } from "@/lib/queries/shell/catalog";
import { getJobPage, type JobPage } from "@/lib/queries/job/page";
import { getConfigPanel } from "@/lib/queries/job/config";
import { getDimensions } from "@/lib/queries/job/dimensions";
import { getTags, listExceptions } from "@/lib/queries/job/errors";
import { getFiguresPanel } from "@/lib/queries/job/figures";
import { getJobLineage } from "@/lib/queries/job/lineage";
import { getRubricPanel } from "@/lib/queries/job/rubric";
import { getTasksPanel } from "@/lib/queries/job/tasks";
import { getTrialsPanel } from "@/lib/queries/job/trials";
import { getDeterminism, getSuspects } from "@/lib/queries/job/verifier-checks";

import { type JobParams, listUnknownJobValues, parseJobParams } from "@/lib/addresses/job";

export async function generateMetadata({
  params,
  searchParams,
}: PageProps<"/jobs/[job]">): Promise<Metadata> {
  // As the page asks, so that it is read once.
  const { isDivided, groupsFrom } = parseJobParams(await searchParams);
  const page = await getJobPage(decodeSegment((await params).job), isDivided, groupsFrom);
  return { title: page?.job.name ?? "Not found" };
}

export default async function JobRoute({ params, searchParams }: PageProps<"/jobs/[job]">) {
  const search = await searchParams;
  const jobParams = parseJobParams(search);
  const page = await getJobPage(decodeSegment((await params).job), jobParams.isDivided, jobParams.groupsFrom);
  if (page === null) notFound();
  const job = page.job;
  const crumbs = [{ label: "Jobs", href: "/" }, { label: job.name }] as const;
  if (page.reading !== null) return <JobReadingPage job={page.job} reading={page.reading} />;
  const lineage = await getJobLineage(await getStore(), page.job);
  return (
    <PageFrame
      crumbs={crumbs}
      unknown={[...listUnknownJobValues(search), ...listUnknownJobColumns(jobParams)]}
    >
      <JobTitle page={page} params={jobParams} />
      {page.groups.length === 0 ? null : <JobGroups page={page} params={jobParams} />}
      {lineage === null ? null : <JobLineageSections page={page} lineage={lineage} />}
      <JobTabs page={page} params={jobParams} />
      <JobPanel page={page} params={jobParams} />
    </PageFrame>
  );
}

function listUnknownJobColumns({ tab, columns }: JobParams): readonly string[] {
  if (tab === "tasks") return listUnknownColumns(TASK_COLUMNS, columns);
  return tab === "trials" ? listUnknownColumns(TRIAL_COLUMNS, columns) : [];
}

async function JobPanel({ page, params }: { page: JobPage; params: JobParams }) {
  const { job } = page;
  const store = await getStore();
  // What verifiers say of dimensions and tags is gathered by recorded group.
  const readWhole = async () => (await getJobPage(job.key, false, params.groupsFrom)) ?? page;
  switch (params.tab) {
    case "tasks":
      return (
        <JobTasks
          page={page}
          panel={await getTasksPanel(store, job, params)}
          params={params}
          count={async (change) => (await getTasksPanel(store, job, { ...params, ...change })).nMatching}
        />
      );
    case "trials":
      return (
        <JobTrials
          page={page}
          panel={await getTrialsPanel(store, job, params)}
          params={params}
          count={async (change) => (await getTrialsPanel(store, job, { ...params, ...change })).nMatching}
        />
      );
    case "dimensions":
      return (
        <JobDimensions
          page={await readWhole()}
          panel={await getDimensions(store, job, params)}
          params={params}
        />
      );
    case "rubric":
      return (
        <JobRubric
          page={await readWhole()}
          panel={await getRubricPanel(store, job, params)}
          params={params}
          count={async (change) =>
            (await getRubricPanel(store, job, { ...params, ...change })).bench?.nMatching ?? 0
          }
        />
      );
    case "errors":
      return (
        <>
          <JobExceptions
            page={page}
            rows={await listExceptions(
              store,
              job,
              page.shown.groups.map(({ group }) => group.key),
            )}
          />
          <JobSuspects page={await readWhole()} panel={await getSuspects(store, job)} />
          <JobTags page={await readWhole()} panel={await getTags(store, job)} />
        </>
      );
    case "verification":
      return (
        <>
          <JobFigures
            page={await readWhole()}
            panel={await getFiguresPanel(store, job, params)}
            params={params}
            count={async (change) => (await getFiguresPanel(store, job, { ...params, ...change })).nMatching}
          />
          <JobDeterminism page={await readWhole()} panel={await getDeterminism(store, job)} />
        </>
      );
    case "config":
      return <JobConfig page={page} panel={await getConfigPanel(store, job, params)} params={params} />;
  }
}
