import type { Metadata } from "next";

import { JOBS_COLUMNS } from "@/components/jobs/columns";
import { JobsFilters } from "@/components/jobs/jobs-filters";
import { listJobsLines } from "@/components/jobs/jobs-lines";
import { JobsTable } from "@/components/jobs/jobs-table";
import { NoJobs, NoJobMatches } from "@/components/jobs/no-jobs";
import { PageFrame } from "@/components/shell/page-frame";
import { Methods } from "@/components/ui/methods";
import { PageTitle } from "@/components/ui/page-title";
import { Link } from "@/components/ui/link";
import { Pager } from "@/components/ui/pager";
import { Stamp } from "@/components/ui/stamp";
import { listUnknownColumns } from "@/components/ui/table-columns";
import { formatCount, formatPlural } from "@/lib/format/number";
import { getJobsPage, type JobsPage } from "@/lib/queries/jobs/page";
import { getShell } from "@/lib/queries/shell/shell";

import { jobsAddress, jobsHref, type JobsParams, parseJobsParams } from "@/lib/addresses/jobs";

export const metadata: Metadata = { title: "Jobs" };

export default async function JobsRoute({ searchParams }: PageProps<"/">) {
  const search = await searchParams;
  const params = parseJobsParams(search);
  const [page, shell] = await Promise.all([getJobsPage(params), getShell()]);
  const { nJobs, nMatching, nTrials } = page;
  const shown =
    nMatching === nJobs
      ? formatPlural(nJobs, "job")
      : `${formatCount(nMatching)} of ${formatPlural(nJobs, "job")}`;
  return (
    <PageFrame
      crumbs={[{ label: "Jobs" }]}
      unknown={[...jobsAddress.listUnknown(search), ...listUnknownColumns(JOBS_COLUMNS, params.columns)]}
    >
      <PageTitle
        title="Jobs"
        summary={
          <>
            {shown}, {formatPlural(nTrials, "trial")}.{" "}
            {params.isReports
              ? "Written by harbor analyze and harbor check: a reward of 1 means that a valid report was written. "
              : "One row per agent, model and dataset. "}
            <ReportsLink page={page} params={params} />
          </>
        }
        actions={<JobsStamp page={page} params={params} />}
      />
      {nJobs + page.nReports === 0 ? (
        <NoJobs roots={shell.roots} />
      ) : (
        <>
          <JobsFilters page={page} params={params} />
          {page.items.length === 0 ? (
            <NoJobMatches
              params={params}
              count={async (change) => (await getJobsPage({ ...params, ...change })).nMatching}
            />
          ) : (
            <JobsTable
              lines={listJobsLines(page)}
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
          <p className="caption table-note">
            Mean reward with its 95 % interval. A dash is unknown, never 0.
          </p>
          <Methods>
            <p>
              A missing reward counts as 0, as in Harbor; a ledger&rsquo;s trials without an evaluation are
              excluded, as in its own reports.
            </p>
            <p>
              Tasks are the clusters of the interval: t, Wilson where few trials pass or few fail, one-sided
              where none or all pass. Error includes cancelled trials.
            </p>
          </Methods>
        </>
      )}
    </PageFrame>
  );
}

/** The way between benchmarks and jobs that only write reports about them. */
function ReportsLink({ page: { nReports }, params }: { page: JobsPage; params: JobsParams }) {
  if (params.isReports)
    return <Link href={jobsHref(params, { isReports: false })}>Back to all other jobs</Link>;
  if (nReports === 0) return null;
  return (
    <Link href={jobsHref(params, { isReports: true })}>
      {formatPlural(nReports, "analysis or check job")} listed separately
    </Link>
  );
}

/** What comparing the recorded figures with the trials found in all jobs that match. */
function JobsStamp({ page, params }: { page: JobsPage; params: JobsParams }) {
  const { nMatching, nMismatched, nIncomplete } = page;
  const jobs = formatPlural(nMatching, "job");
  if (nMismatched > 0) {
    const words = `${formatPlural(nMismatched, "mismatch", "mismatches")} in ${jobs}`;
    return <Stamp verdict="mismatch" words={words} href={jobsHref(params, { checks: ["mismatch"] })} />;
  }
  // Before everything is read there is no telling.
  if (nMatching === 0 || !page.status.isComplete) return null;
  const words = `No mismatch in ${jobs}`;
  if (nIncomplete === 0)
    return <Stamp verdict="exact" words={words} href={jobsHref(params, { checks: [] })} />;
  // Where nothing could be checked whole, nothing is exact either.
  return (
    <Stamp
      verdict={nIncomplete === nMatching ? "incomplete" : "exact"}
      words={`${words}, ${formatCount(nIncomplete)} with incomplete data`}
      href={jobsHref(params, { checks: ["incomplete"] })}
    />
  );
}
