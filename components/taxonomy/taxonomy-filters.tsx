import { ListFacet } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { formatPlural } from "@/lib/core/format/number";
import { taxonomyHref, type TaxonomyParams } from "@/lib/pages/taxonomy/address";
import type { TaxonomyPage } from "@/lib/pages/taxonomy/page";

export function TaxonomyFilters({ page: { scope }, params }: { page: TaxonomyPage; params: TaxonomyParams }) {
  const { jobs, agents } = scope.facets;
  const names = new Map(jobs.map(({ value, name }) => [value, name]));
  return (
    <FilterBar count={`${formatPlural(scope.nFailed, "trial")} not passed`}>
      <ListFacet
        label="Job"
        values={jobs}
        chosen={params.jobs}
        hrefOf={(chosen) => taxonomyHref(params, { jobs: chosen })}
        wordFor={(key) => names.get(key)}
      />
      <ListFacet
        label="Agent"
        values={agents}
        chosen={params.agents}
        hrefOf={(chosen) => taxonomyHref(params, { agents: chosen })}
      />
    </FilterBar>
  );
}
