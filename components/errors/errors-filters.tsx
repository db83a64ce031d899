import { ListFacet } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { EXCEPTION_CAUSES } from "@/lib/core/domain/exception-cause";
import { formatPlural } from "@/lib/core/format/number";
import { errorsHref, type ErrorsParams } from "@/lib/pages/errors/address";
import type { ErrorsPage } from "@/lib/pages/errors/page";

import { CAUSE_WORDS } from "./error-words";

export function ErrorsFilters({ page, params }: { page: ErrorsPage; params: ErrorsParams }) {
  const { facets } = page;
  const jobNames = new Map(facets.jobs.map(({ jobKey, jobName }) => [jobKey, jobName]));
  return (
    <FilterBar count={`${formatPlural(page.rows.length, "type")}, ${formatPlural(page.nErrors, "trial")}`}>
      <FilterText label="Find in messages" resets={["open"]} />
      <ListFacet
        label="Job"
        values={facets.jobs.map(({ jobKey, count }) => ({ value: jobKey, count }))}
        chosen={params.jobs}
        hrefOf={(jobs) => errorsHref(params, { jobs })}
        wordFor={(key) => jobNames.get(key)}
      />
      <ListFacet
        label="Agent"
        values={facets.agents}
        chosen={params.agents}
        hrefOf={(agents) => errorsHref(params, { agents })}
      />
      <ListFacet
        label="Cause"
        values={EXCEPTION_CAUSES.flatMap((cause) => facets.causes.filter(({ value }) => value === cause))}
        chosen={params.causes}
        hrefOf={(chosen) =>
          errorsHref(params, { causes: EXCEPTION_CAUSES.filter((cause) => chosen.includes(cause)) })
        }
        wordFor={(cause) => CAUSE_WORDS[cause]}
      />
    </FilterBar>
  );
}
