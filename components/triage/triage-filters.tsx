import { ListFacet } from "@/components/ui/facet-menu";
import { FilterBar, FilterChips } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { formatPlural } from "@/lib/core/format/number";
import { capitalise } from "@/lib/core/format/words";
import { CLASSES, FAILURE_CLASSES } from "@/lib/core/triage/classes";
import { REVIEWED, triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { TriagePage } from "@/lib/pages/triage/page";

const REVIEWED_WORDS = { yes: "Judged", no: "Not judged" } as const;

export function TriageFilters({ page, params }: { page: TriagePage; params: TriageParams }) {
  const { scope, facets } = page;
  const names = new Map(facets.jobs.map(({ key, name }) => [key, name]));
  const { jobs, agents, tasks, classes, reviewed, text } = params;
  const isFiltered = [jobs, agents, tasks, classes, reviewed, text].some(({ length }) => length > 0);
  return (
    <details className="failures-filter" open={isFiltered}>
      <summary className="button button-plain">Filter</summary>
      <FilterBar count={formatPlural(scope.failures.length, "trial")}>
        <FilterText label="Find in evidence" resets={["open"]} />
        <ListFacet
          label="Job"
          values={facets.jobs.map(({ key, count }) => ({ value: key, count }))}
          chosen={params.jobs}
          hrefOf={(jobs) => triageHref(params, { jobs, open: null })}
          wordFor={(key) => names.get(key)}
        />
        <ListFacet
          label="Agent"
          values={facets.agents}
          chosen={params.agents}
          hrefOf={(agents) => triageHref(params, { agents, open: null })}
        />
        <ListFacet
          label="Class"
          values={FAILURE_CLASSES.flatMap((value) => {
            const count = scope.classes.get(value) ?? 0;
            return count > 0 || params.classes.includes(value) ? [{ value, count }] : [];
          })}
          chosen={params.classes}
          hrefOf={(chosen) =>
            triageHref(params, { classes: FAILURE_CLASSES.filter((one) => chosen.includes(one)), open: null })
          }
          wordFor={(value) => capitalise(CLASSES[value].words)}
        />
        <ListFacet
          label="Reviewed"
          values={REVIEWED.map((value) => ({ value, count: null }))}
          chosen={params.reviewed}
          hrefOf={(chosen) =>
            triageHref(params, { reviewed: REVIEWED.filter((one) => chosen.includes(one)), open: null })
          }
          wordFor={(value) => REVIEWED_WORDS[value]}
        />
        <FilterChips
          chips={params.tasks.map((task) => ({
            words: task,
            href: triageHref(params, { tasks: params.tasks.filter((one) => one !== task), open: null }),
          }))}
        />
      </FilterBar>
    </details>
  );
}
