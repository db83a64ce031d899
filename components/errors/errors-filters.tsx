import { toggleValue } from "@/lib/addresses/address";
import { errorsHref, type ErrorsParams } from "@/lib/addresses/errors";
import { FacetMenu } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { EXCEPTION_CAUSES } from "@/lib/domain/exception-cause";
import { formatPlural } from "@/lib/format/number";
import type { ErrorsPage } from "@/lib/queries/errors/page";

import { CAUSE_WORDS } from "./error-words";

/** The filters of the errors page. Jobs and agents decide what is counted; cause and text decide which types are shown. */
export function ErrorsFilters({ page, params }: { page: ErrorsPage; params: ErrorsParams }) {
  const { facets } = page;
  return (
    <FilterBar end={`${formatPlural(page.rows.length, "type")}, ${formatPlural(page.nErrors, "trial")}`}>
      <FilterText param="q" label="Find in messages" resets={["open"]} />
      <FacetMenu
        label="Job"
        clearHref={errorsHref(params, { jobs: [] })}
        options={facets.jobs.map(({ jobKey, jobName, count }) => ({
          value: jobKey,
          label: jobName,
          count,
          selected: params.jobs.includes(jobKey),
          href: errorsHref(params, { jobs: toggleValue(params.jobs, jobKey) }),
        }))}
      />
      <FacetMenu
        label="Agent"
        clearHref={errorsHref(params, { agents: [] })}
        options={facets.agents.map(({ value, count }) => ({
          value,
          label: value,
          count,
          selected: params.agents.includes(value),
          href: errorsHref(params, { agents: toggleValue(params.agents, value) }),
        }))}
      />
      <FacetMenu
        label="Cause"
        clearHref={errorsHref(params, { causes: [] })}
        options={EXCEPTION_CAUSES.flatMap((cause) =>
          facets.causes.filter(({ value }) => value === cause),
        ).map(({ value, count }) => ({
          value,
          label: CAUSE_WORDS[value],
          count,
          selected: params.causes.includes(value),
          href: errorsHref(params, { causes: toggleValue(params.causes, value) }),
        }))}
      />
    </FilterBar>
  );
}
