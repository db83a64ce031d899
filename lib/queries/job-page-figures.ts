import "server-only";

import type { JobEntry } from "@/lib/domain/catalog";
import { JOB_PAGE_ROWS, type JobFilter } from "@/lib/domain/job-filter";
import type { Figure, FigureKind, Verdict } from "@/lib/domain/verification";

import { countValues, type FacetValue, paginate, type TablePage } from "./job-page-table";

/** The verification tab. */
export interface FiguresPanel extends TablePage<Figure> {
  readonly nFigures: number;
  readonly verdicts: readonly FacetValue<Verdict>[];
  readonly kinds: readonly FacetValue<FigureKind>[];
  readonly groups: readonly FacetValue<string>[];
}

const SEVERITY: readonly Verdict[] = ["mismatch", "unverifiable", "ulp", "not-recorded", "exact"];

/** The figures of a job that fit the filter, worst verdict first, then as result.json has them. */
export function getFiguresPanel(entry: JobEntry, filter: JobFilter): FiguresPanel {
  const { figures } = entry.report;
  const text = filter.text.toLowerCase();
  const matching = figures.filter(
    (figure) =>
      (filter.verdicts.length === 0 || filter.verdicts.includes(figure.verdict)) &&
      (filter.kinds.length === 0 || filter.kinds.includes(figure.kind)) &&
      (filter.groups.length === 0 || filter.groups.includes(figure.group ?? "")) &&
      (filter.figure === null || figure.path === filter.figure) &&
      (text === "" || `${figure.path} ${figure.reason ?? ""}`.toLowerCase().includes(text)),
  );
  const sorted = matching.toSorted((a, b) => SEVERITY.indexOf(a.verdict) - SEVERITY.indexOf(b.verdict));
  return {
    ...paginate(sorted, filter.page, JOB_PAGE_ROWS),
    nFigures: figures.length,
    verdicts: countValues(figures, (figure) => [figure.verdict]),
    kinds: countValues(figures, (figure) => [figure.kind]),
    groups: countValues(figures, (figure) => (figure.group === null ? [] : [figure.group])),
  };
}
