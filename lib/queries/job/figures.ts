import "server-only";

import type { JobParams } from "@/lib/addresses/job";
import { JOB_PAGE_ROWS } from "@/lib/domain/job-filter";
import { type ListPage, rangeOfPage } from "@/lib/domain/list-page";
import { FIGURE_KINDS, type FigureKind, type Verdict, VERDICTS } from "@/lib/domain/verification";
import {
  type FacetValue,
  type FigureRow,
  type IndexStore,
  type JobHead,
  readFigures,
  readJobFacets,
} from "@/lib/store";

import { pickKnown } from "./facets";

/** The verification tab. Facet counts are of figures over the whole job. */
export interface FiguresPanel extends ListPage<FigureRow> {
  readonly nFigures: number;
  readonly verdicts: readonly FacetValue<Verdict>[];
  readonly kinds: readonly FacetValue<FigureKind>[];
  readonly groups: readonly FacetValue[];
}

/** The figures of a job that fit the filter, worst verdict first, then as result.json has them. */
export async function getFiguresPanel(
  store: IndexStore,
  job: JobHead,
  filter: JobParams,
): Promise<FiguresPanel> {
  const { text, verdicts, kinds, groups, figure } = filter;
  const selection = { text, verdicts, kinds, groups, path: figure };
  const [list, facets] = await Promise.all([
    readFigures(store, job.rowId, selection, rangeOfPage(filter.page, JOB_PAGE_ROWS)),
    readJobFacets(store, job.rowId),
  ]);
  return {
    ...list,
    nFigures: job.nFigures,
    verdicts: pickKnown(facets, "figure-verdict", VERDICTS),
    kinds: pickKnown(facets, "figure-kind", FIGURE_KINDS),
    groups: facets.get("figure-group") ?? [],
  };
}
