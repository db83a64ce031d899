import type { Metadata } from "next";
import type { ComponentProps } from "react";

import { BenchmarkStrip } from "@/components/jobs/benchmark-strip";
import { JOBS_COLUMNS } from "@/components/jobs/columns";
import { JobsFilters, JobsStamp, JobsSums } from "@/components/jobs/jobs-filters";
import { listJobsLines } from "@/components/jobs/jobs-lines";
import { JobsTable } from "@/components/jobs/jobs-table";
import { JoinPanel } from "@/components/jobs/join-panel";
import { NoJobs, NoJobMatches } from "@/components/jobs/no-jobs";
import { RunSetChanged, RunSetRule } from "@/components/jobs/run-set-forms";
import { RunSetSuggestions } from "@/components/jobs/run-set-suggestions";
import { RunsTabs } from "@/components/jobs/runs-tabs";
import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { listUnknownColumns } from "@/components/ui/table-columns";
import { formatPlural } from "@/lib/core/format/number";
import { jobsAddress, jobsHref, type JobsParams, parseJobsParams } from "@/lib/pages/jobs/address";
import { getBenchmarkStrip } from "@/lib/pages/jobs/benchmark-strip";
import { getJobsPage, type JobsPage } from "@/lib/pages/jobs/page";
import { getJobsRunSets, type JobsRunSets } from "@/lib/pages/run-sets/jobs-run-sets";
import { getShell } from "@/lib/pages/shell/shell";
import { getViewsOfList } from "@/lib/pages/views/page";

export const metadata: Metadata = { title: "Jobs" };

export default async function JobsRoute({ searchParams }: PageProps<"/">) {
  const search = await searchParams;
  const params = parseJobsParams(search);
  const [page, shell, views] = await Promise.all([getJobsPage(params), getShell(), getViewsOfList("/")]);
  const runSets = await getJobsRunSets(params, page);
  const { nJobs } = page;
  return (
    <PageFrame
      crumbs={[{ label: RUNS.label }]}
      isEmpty={nJobs + page.nReports === 0}
      unknown={[...jobsAddress.listUnknown(search), ...listUnknownColumns(JOBS_COLUMNS, params.columns)]}
    >
      <PageTitle
        title={RUNS.label}
        tabs={<RunsTabs current="jobs" shell={shell} />}
        summary={
          params.isReports || page.nReports > 0 ? <ReportsLink page={page} params={params} /> : undefined
        }
        actions={
          <>
            <JobsSums page={page} />
            <RunSetRule params={params} apart={runSets.apart} />
            <JobsStamp page={page} params={params} />
          </>
        }
      />
      {nJobs + page.nReports === 0 ? (
        <NoJobs roots={shell.roots} />
      ) : (
        <>
          <DelayedSuspense fallback={<div className="benchmark-strip" />}>{drawStrip()}</DelayedSuspense>
          <JobsList page={page} params={params} runSets={runSets} views={views} />
          <p className="caption table-note">
            One row per agent, model and dataset, with its mean reward and 95 % interval. A dash is unknown,
            never 0.
          </p>
          <Methods>
            <p>
              A missing reward counts as 0, as in Harbor. A ledger&rsquo;s trials without an evaluation are
              excluded.
            </p>
            <p>
              Interval: clustered by task; t, or Wilson if few trials pass or fail, one-sided if none or all
              pass. Error includes cancelled trials. The total cost is the sum of the column, with the costs
              that regrades copied.
            </p>
          </Methods>
        </>
      )}
    </PageFrame>
  );
}

async function drawStrip() {
  return <BenchmarkStrip panels={await getBenchmarkStrip()} />;
}

function JobsList({
  page,
  params,
  runSets,
  views,
}: ComponentProps<typeof JobsFilters> & { runSets: JobsRunSets }) {
  return (
    <>
      <JobsFilters page={page} params={params} views={views} />
      {page.setsProblem === null ? null : (
        <Notice title="Not every run set can be read" tone="error">
          {page.setsProblem}
        </Notice>
      )}
      <RunSetSuggestions suggestions={runSets.suggestions} params={params} />
      <div className={runSets.panel === null ? undefined : "with-panel jobs-with-panel"}>
        <div>
          {page.items.length === 0 ? (
            <NoJobMatches
              params={params}
              count={async (change) => (await getJobsPage({ ...params, ...change })).nMatching}
            />
          ) : (
            <JobsTable
              lines={listJobsLines(page)}
              sections={page.sections}
              params={params}
              isIndexed={page.status.phase === "current" || page.status.phase === "failed"}
            />
          )}
          <Pager
            page={page}
            noun="job"
            label="Pages of the list"
            hrefOf={(to) => jobsHref(params, { page: to })}
          />
        </div>
        {runSets.panel === null ? null : <JoinPanel panel={runSets.panel} params={params} />}
      </div>
      {runSets.changed === null ? null : <RunSetChanged changed={runSets.changed} />}
    </>
  );
}

function ReportsLink({ page: { nReports }, params }: { page: JobsPage; params: JobsParams }) {
  if (params.isReports)
    return (
      <>
        Written by harbor analyze and harbor check: a reward of 1 means that a valid report was written.{" "}
        <Link href={jobsHref(params, { isReports: false })}>Back to all other jobs</Link>
      </>
    );
  return (
    <Link href={jobsHref(params, { isReports: true })}>
      {formatPlural(nReports, "analysis or check job")} listed separately
    </Link>
  );
}
