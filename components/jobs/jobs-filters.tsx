import { Columns3 } from "lucide-react";

import {
  JOBS_COLUMNS,
  type JobsColumn,
  type JobsFacet,
  jobsFileHref,
  jobsHref,
  type JobsParams,
} from "@/lib/addresses/jobs";
import { toggleValue } from "@/lib/addresses/address";
import { FacetMenu } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { SoftLink } from "@/components/ui/soft-link";
import { PAGE_PARAMS } from "@/lib/domain/list-page";
import { formatVerdict } from "@/lib/format/words";
import type { JobsPage } from "@/lib/queries/jobs/page";

import { CompareSelection } from "./compare-selection";
import { DownloadMenu } from "./download-menu";

const FACET_LABELS: Readonly<Record<JobsFacet, string>> = {
  datasets: "Dataset",
  agents: "Agent",
  models: "Model",
  states: "Status",
  checks: "Check",
};

const COLUMN_LABELS: Readonly<Record<JobsColumn, string>> = {
  trials: "Trials",
  interval: "Interval",
  check: "Check",
  partial: "Partial",
  timeout: "Timeout",
  open: "Open",
  judged: "Disagree",
  cost: "Cost",
};

const VERDICT_VALUES = [
  "exact",
  "ulp",
  "explained",
  "mismatch",
  "not-recorded",
  "incomplete",
  "interim",
] as const;

function wordFor(facet: JobsFacet, value: string): string {
  const verdict = facet === "checks" ? VERDICT_VALUES.find((one) => one === value) : undefined;
  return verdict === undefined ? value : formatVerdict(verdict);
}

/** Search, facets and columns of the jobs list. */
export function JobsFilters({ page, params }: { page: JobsPage; params: JobsParams }) {
  const facets: readonly JobsFacet[] = ["datasets", "agents", "models", "states", "checks"];
  return (
    <FilterBar
      end={
        <>
          <CompareSelection formId="compare-groups" />
          <details className="facet facet-end" data-menu="">
            <summary>
              <Columns3 size={14} aria-hidden />
              Columns
            </summary>
            <ColumnPanel params={params} />
          </details>
          <DownloadMenu what="these jobs" hrefOf={(format) => jobsFileHref(params, format)} />
        </>
      }
    >
      <FilterText param="q" label="Filter jobs and tasks" resets={PAGE_PARAMS} />
      {facets.map((facet) => (
        <FacetMenu
          key={facet}
          label={FACET_LABELS[facet]}
          clearHref={jobsHref(params, { [facet]: [] })}
          options={page.facets[facet].map(({ value, count }) => ({
            value,
            label: wordFor(facet, value),
            count,
            selected: params[facet].includes(value),
            href: jobsHref(params, { [facet]: toggleValue(params[facet], value) }),
          }))}
        />
      ))}
    </FilterBar>
  );
}

function ColumnPanel({ params }: { params: JobsParams }) {
  return (
    <div className="facet-panel">
      <ul>
        {JOBS_COLUMNS.map((column) => (
          <ColumnOption key={column} column={column} params={params} />
        ))}
      </ul>
    </div>
  );
}

function ColumnOption({ column, params }: { column: JobsColumn; params: JobsParams }) {
  const shown = !params.hidden.includes(column);
  return (
    <li>
      <SoftLink
        className={shown ? "facet-option facet-selected" : "facet-option"}
        href={jobsHref(params, { hidden: toggleValue(params.hidden, column), page: params.page })}
        aria-current={shown ? "true" : undefined}
        way="replace"
      >
        <span className="check-box" aria-hidden="true" />
        {COLUMN_LABELS[column]}
      </SoftLink>
    </li>
  );
}
