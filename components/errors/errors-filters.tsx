import { errorsHref } from "@/app/errors/search-params";
import type { ErrorsParams } from "@/app/errors/search-params";
import { FacetMenu, FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { EXCEPTION_CAUSES } from "@/lib/domain/exception-cause";
import { formatPlural } from "@/lib/format/number";
import type { ErrorsPage } from "@/lib/queries/errors-page";

import { CAUSE_WORDS } from "./error-words";

function toggle<T extends string>(values: readonly T[], value: T): readonly T[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

/** As many as a menu shows: what it is given is sent to the browser. */
const MOST_OPTIONS = 200;

/** The filters of the errors page. Jobs and agents decide what is counted; cause and text decide which types are shown. */
export function ErrorsFilters({ page, params }: { page: ErrorsPage; params: ErrorsParams }) {
  const { facets } = page;
  const isChosen = ({ value }: { readonly value: string }) => params.agents.includes(value);
  // Chosen ones first, as with jobs, so that they can be taken off.
  const agents = [...facets.agents.filter(isChosen), ...facets.agents.filter((agent) => !isChosen(agent))];
  return (
    <FilterBar end={`${formatPlural(page.rows.length, "type")}, ${formatPlural(page.nErrors, "trial")}`}>
      <FilterText param="q" label="Find in messages" resets={["open"]} />
      <FacetMenu
        label="Job"
        clearHref={errorsHref(params, { jobs: [] })}
        nOptions={facets.jobs.length}
        options={facets.jobs.slice(0, MOST_OPTIONS).map(({ jobKey, jobName, count }) => ({
          value: jobKey,
          label: jobName,
          count,
          selected: params.jobs.includes(jobKey),
          href: errorsHref(params, { jobs: toggle(params.jobs, jobKey) }),
        }))}
      />
      <FacetMenu
        label="Agent"
        clearHref={errorsHref(params, { agents: [] })}
        nOptions={facets.agents.length}
        options={agents.slice(0, MOST_OPTIONS).map(({ value, count }) => ({
          value,
          label: value,
          count,
          selected: params.agents.includes(value),
          href: errorsHref(params, { agents: toggle(params.agents, value) }),
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
          href: errorsHref(params, { causes: toggle(params.causes, value) }),
        }))}
      />
    </FilterBar>
  );
}
