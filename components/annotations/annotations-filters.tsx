import { annotationsHref } from "@/lib/addresses/annotations";
import type { AnnotationsParams } from "@/lib/addresses/annotations";
import { FacetMenu, type FacetOption } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { formatPlural } from "@/lib/format/number";
import type { AnnotationFacet, AnnotationsPage } from "@/lib/queries/annotations/page";

import { JUDGMENT_WORDS, STANDING_WORDS } from "./judgment-words";

const FACETS: readonly { readonly facet: AnnotationFacet; readonly label: string }[] = [
  { facet: "judgments", label: "Judgment" },
  { facet: "standings", label: "Standing" },
  { facet: "reviewers", label: "Reviewer" },
  { facet: "categories", label: "Category" },
  { facet: "jobs", label: "Job" },
];

const WORDS: Readonly<Record<string, string>> = { ...JUDGMENT_WORDS, ...STANDING_WORDS };

/** The filters of the annotations list. */
export function AnnotationsFilters({ page, params }: { page: AnnotationsPage; params: AnnotationsParams }) {
  return (
    <FilterBar end={formatPlural(page.nShown, "judgment")}>
      <FilterText param="q" label="Filter by task, note, name" resets={["page"]} />
      {FACETS.map(({ facet, label }) => (
        <FacetMenu
          key={facet}
          label={label}
          clearHref={annotationsHref(params, { [facet]: [] })}
          options={listOptions(page.facets[facet], facet, params)}
        />
      ))}
    </FilterBar>
  );
}

/** The values of a facet as options of its menu. */
function listOptions(
  values: AnnotationsPage["facets"][AnnotationFacet],
  facet: AnnotationFacet,
  params: AnnotationsParams,
): readonly FacetOption[] {
  const chosen: readonly string[] = params[facet];
  return values.map(({ value, count }) => {
    const selected = chosen.includes(value);
    const next = selected ? chosen.filter((one) => one !== value) : [...chosen, value];
    return {
      value,
      label: WORDS[value] ?? value,
      count,
      selected,
      href: annotationsHref(params, { [facet]: next }),
    };
  });
}
