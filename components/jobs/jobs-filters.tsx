import { Fragment } from "react";

import { Stamp } from "@/components/ui/check";
import { ColumnsMenu } from "@/components/ui/columns-menu";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import type { CheckVerdict } from "@/lib/core/domain/verification";
import { formatCost, formatCount, formatPlural } from "@/lib/core/format/number";
import { formatVerdict, VERDICT_MEANINGS } from "@/lib/core/format/words";
import {
  JOBS_FACETS,
  type JobsFacet,
  jobsFileHref,
  jobsHref,
  type JobsParams,
} from "@/lib/pages/jobs/address";
import type { JobsPage } from "@/lib/pages/jobs/page";

import { JOBS_COLUMNS } from "./columns";
import { CompareSelection } from "./compare-selection";
import { DownloadMenu } from "./download-menu";
import { SinceMenu } from "./since-menu";

export const FACET_LABELS: Readonly<Record<JobsFacet, string>> = {
  datasets: "Dataset",
  agents: "Agent",
  models: "Model",
  states: "Status",
  checks: "Check",
};

function isVerdict(value: string): value is CheckVerdict {
  return Object.hasOwn(VERDICT_MEANINGS, value);
}

export function JobsFilters({ page, params }: { page: JobsPage; params: JobsParams }) {
  const { nJobs, nMatching, nTrials } = page;
  const jobs = formatPlural(nJobs, "job");
  const shown = nMatching === nJobs ? jobs : `${formatCount(nMatching)} of ${jobs}`;
  const facet = facetsOf(params, (change) => jobsHref(params, change));
  const cost = page.costUsd === null ? "" : `, $${formatCost(page.costUsd)} known cost`;
  return (
    <FilterBar
      count={`${shown}, ${formatPlural(nTrials, "trial")}${cost}`}
      end={
        <>
          <CompareSelection formId="compare-groups" params={params} />
          <ColumnsMenu
            columns={JOBS_COLUMNS}
            wanted={params.columns}
            hrefOf={(columns) => jobsHref(params, { columns, page: params.page })}
          />
          <DownloadMenu what="these jobs" hrefOf={(format) => jobsFileHref(params, format)} />
        </>
      }
    >
      <FilterText label="Filter jobs and tasks" />
      <SinceMenu params={params} newestMs={page.newestMs ?? 0} />
      {JOBS_FACETS.map((name) => (
        <Fragment key={name}>
          {facet(FACET_LABELS[name], name, page.facets[name], (value) =>
            name === "checks" && isVerdict(value) ? formatVerdict(value) : value,
          )}
        </Fragment>
      ))}
    </FilterBar>
  );
}

export function JobsStamp({ page, params }: { page: JobsPage; params: JobsParams }) {
  const { nMatching, nMismatched, nUnknown, nIncomplete } = page;
  const jobs = formatPlural(nMatching, "job");
  if (nMismatched > 0) {
    const words = `${formatPlural(nMismatched, "mismatch", "mismatches")} in ${jobs}`;
    return <Stamp verdict="mismatch" words={words} href={jobsHref(params, { checks: ["mismatch"] })} />;
  }
  if (nMatching === 0 || !page.status.isComplete) return null;
  const words = `No mismatch in ${jobs}`;
  if (nUnknown > 0)
    return (
      <Stamp
        verdict="unknown-rule"
        words={`${words}, ${formatCount(nUnknown)} by a newer Harbor`}
        href={jobsHref(params, { checks: ["unknown-rule"] })}
      />
    );
  if (nIncomplete === 0)
    return <Stamp verdict="exact" words={words} href={jobsHref(params, { checks: [] })} />;
  // If nothing could be checked whole, nothing is exact either.
  return (
    <Stamp
      verdict={nIncomplete === nMatching ? "incomplete" : "exact"}
      words={`${words}, ${formatCount(nIncomplete)} with incomplete data`}
      href={jobsHref(params, { checks: ["incomplete"] })}
    />
  );
}
