import type { Metadata } from "next";

import { JobsFilters } from "@/components/jobs/jobs-filters";
import { JobsTable } from "@/components/jobs/jobs-table";
import { NoJobs, NoJobMatches } from "@/components/jobs/no-jobs";
import { PageFrame } from "@/components/shell/page-frame";
import { PageTitle } from "@/components/ui/page-title";
import { Stamp } from "@/components/ui/stamp";
import { formatCount, formatPlural } from "@/lib/format/number";
import { getJobsPage } from "@/lib/queries/jobs-page";
import { getShell } from "@/lib/queries/shell";

import { jobsHref, parseJobsParams } from "../search-params";

export const metadata: Metadata = { title: "Jobs" };

export default async function JobsRoute({ searchParams }: PageProps<"/">) {
  const params = parseJobsParams(await searchParams);
  const [page, shell] = await Promise.all([getJobsPage(params), getShell()]);
  const { nMismatched, nGroupsRecomputed } = page;
  const shown =
    page.items.length === page.nJobs
      ? formatPlural(page.nJobs, "job")
      : `${formatCount(page.items.length)} of ${formatPlural(page.nJobs, "job")}`;
  return (
    <PageFrame crumbs={[{ label: "Jobs" }]}>
      <PageTitle
        title="Jobs"
        summary={`${shown}, ${formatPlural(page.nTrialsShown, "trial")}. One row is one agent, model and dataset, because that is what a score belongs to.`}
        actions={
          nGroupsRecomputed === 0 ? undefined : (
            <Stamp
              seal={nMismatched > 0 ? "mismatch" : "exact"}
              words={
                nMismatched > 0
                  ? `${formatPlural(nMismatched, "mismatch", "mismatches")} in ${formatPlural(nGroupsRecomputed, "recomputed group")}`
                  : `No mismatch in ${formatPlural(nGroupsRecomputed, "recomputed group")}`
              }
              href={jobsHref(params, { seals: nMismatched > 0 ? ["mismatch"] : [] })}
            />
          )
        }
      />
      {page.nJobs === 0 ? (
        <NoJobs roots={shell.roots} />
      ) : (
        <>
          <JobsFilters page={page} params={params} />
          {page.items.length === 0 ? (
            <NoJobMatches params={params} nJobs={page.nJobs} />
          ) : (
            <JobsTable page={page} params={params} year={new Date().getUTCFullYear()} />
          )}
          <p className="caption table-note">
            Mean reward counts a missing reward as 0, as Harbor does. Interval: 95 %, t, tasks as clusters;
            none or all passed, one-sided. Error includes cancelled. A dash is unknown, never 0.
          </p>
        </>
      )}
    </PageFrame>
  );
}
