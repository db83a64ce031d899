import { Fragment } from "react";

import { Stamp } from "@/components/ui/check";
import { ColumnsMenu } from "@/components/ui/columns-menu";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Segment } from "@/components/ui/segment";
import { ViewsMenu } from "@/components/views/views-menu";
import type { CheckVerdict } from "@/lib/core/domain/verification";
import { formatCost, formatCount, formatPlural } from "@/lib/core/format/number";
import { formatVerdict, VERDICT_MEANINGS } from "@/lib/core/format/words";
import {
  JOB_GROUPINGS,
  type JobsFacet,
  jobsFileHref,
  jobsHref,
  type JobsParams,
} from "@/lib/pages/jobs/address";
import type { JobsPage } from "@/lib/pages/jobs/page";
import type { ListView } from "@/lib/pages/views/page";

import { JOBS_COLUMNS } from "./columns";
import { CompareSelection } from "./compare-selection";
import { DownloadMenu } from "./download-menu";
import { NewSince } from "./new-since";
import { SinceMenu } from "./since-menu";

export const FACET_LABELS: Readonly<Record<JobsFacet, string>> = {
  datasets: "Dataset",
  agents: "Agent",
  models: "Model",
  states: "Status",
  checks: "Check",
};

const OFTEN = ["datasets", "agents"] as const;
const SELDOM = ["models", "states", "checks"] as const;

const GROUPINGS: Readonly<
  Record<JobsParams["grouping"], { readonly label: string; readonly title: string }>
> = {
  benchmark: { label: "Benchmark", title: "Group jobs by benchmark" },
  week: { label: "Week", title: "Group jobs by the week in which they ended, in UTC" },
  folder: { label: "Folder", title: "Group jobs by the folder that holds them" },
  none: { label: "None", title: "One list in the order of the table" },
};

function isVerdict(value: string): value is CheckVerdict {
  return Object.hasOwn(VERDICT_MEANINGS, value);
}

export function JobsFilters({
  page,
  params,
  views,
}: {
  page: JobsPage;
  params: JobsParams;
  views: readonly ListView[];
}) {
  const facet = facetsOf(params, (change) => jobsHref(params, change));
  const menu = (name: JobsFacet) => (
    <Fragment key={name}>
      {facet(FACET_LABELS[name], name, page.facets[name], (value) =>
        name === "checks" && isVerdict(value) ? formatVerdict(value) : value,
      )}
    </Fragment>
  );
  return (
    <FilterBar
      end={
        <>
          <CompareSelection formId="compare-groups" params={params} />
          <span className="muted" aria-hidden="true">
            Group by
          </span>
          <Segment
            label="Group by"
            value={params.grouping}
            options={JOB_GROUPINGS.map((value) => ({ value, ...GROUPINGS[value] }))}
            hrefOf={(grouping) => jobsHref(params, { grouping })}
          />
          <ColumnsMenu
            columns={JOBS_COLUMNS}
            wanted={params.columns}
            hrefOf={(columns) => jobsHref(params, { columns, page: params.page })}
          />
          <DownloadMenu what="these jobs" hrefOf={(format) => jobsFileHref(params, format)} />
        </>
      }
    >
      <ViewsMenu label="All jobs" all={jobsHref({})} current={jobsHref(params)} views={views} />
      <FilterText label="Filter jobs and tasks" />
      {params.since === null ? <NewSince params={params} newestMs={page.newestMs ?? 0} /> : null}
      {OFTEN.map(menu)}
      <details
        className="filter-more"
        open={params.since !== null || SELDOM.some((name) => params[name].length > 0)}
      >
        <summary className="button">More filters</summary>
        <SinceMenu params={params} />
        {SELDOM.map(menu)}
      </details>
    </FilterBar>
  );
}

/** Sums of the listed jobs. */
export function JobsSums({ page: { nJobs, nMatching, nTrials, costUsd } }: { page: JobsPage }) {
  const jobs = nMatching === nJobs ? "" : `${formatCount(nMatching)} of ${formatPlural(nJobs, "job")}, `;
  const cost = costUsd === null ? "" : `, $${formatCost(costUsd)} known cost`;
  return (
    <span className="muted" role="status">
      {jobs}
      {formatPlural(nTrials, "trial")}
      {cost}
    </span>
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
