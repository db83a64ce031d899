import { ColumnsMenu } from "@/components/ui/columns-menu";
import { ListFacet } from "@/components/ui/facet-menu";
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
      {JOBS_FACETS.map((facet) => (
        <ListFacet
          key={facet}
          label={FACET_LABELS[facet]}
          values={page.facets[facet]}
          chosen={params[facet]}
          hrefOf={(chosen) => jobsHref(params, { [facet]: chosen })}
          wordFor={(value) => (facet === "checks" && isVerdict(value) ? formatVerdict(value) : value)}
        />
      ))}
    </FilterBar>
  );
}
