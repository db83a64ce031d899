import { ListFacet } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { verifierHref, type VerifierParams } from "@/lib/pages/annotations/review-address";
import type { VerifierPage } from "@/lib/pages/verifier/page";

const FACETS = [
  { facet: "jobs", label: "Job" },
  { facet: "agents", label: "Agent" },
  { facet: "families", label: "Task family" },
] as const;

export function VerifierFilters({
  page,
  params,
  leftOut,
}: {
  page: VerifierPage;
  params: VerifierParams;
  leftOut: readonly string[];
}) {
  const wordFor = {
    jobs: (key: string) => page.jobNames.get(key) ?? key,
    agents: undefined,
    families: undefined,
  };
  return (
    <>
      <FilterBar>
        {FACETS.map(({ facet, label }) => (
          <ListFacet
            key={facet}
            label={label}
            values={page.facets[facet]}
            chosen={params[facet]}
            hrefOf={(chosen) => verifierHref({ ...params, [facet]: chosen })}
            wordFor={wordFor[facet]}
          />
        ))}
      </FilterBar>
      {leftOut.length === 0 ? null : <p className="caption verifier-left-out">{leftOut.join(". ")}.</p>}
    </>
  );
}
