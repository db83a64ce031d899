import "server-only";

import type { JobParams } from "@/lib/addresses/job";
import { MOST_SHOWN_GROUPS } from "@/lib/domain/job-filter";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/domain/page-bytes";
import { type ListPage, rangeOfPage, takePage } from "@/lib/domain/list-page";
import { takePart } from "@/lib/domain/trial-lists";
import { type CorrelationMatrix, prepareCorrelationMatrix } from "@/lib/charts/correlation-matrix";
import {
  type DimensionCell,
  type DimensionSummary,
  type FamilySummary,
  type IndexStore,
  type JobHead,
  MOST_CORRELATED,
  readDimensionPage,
  readFamilies,
  readFamilyDetail,
} from "@/lib/store";

import { getDerivedDetailsState, type DerivedDetailsState } from "../shell/derived-details-state";

/** One dimension over the groups of a section. */
export interface DimensionRow {
  readonly name: string;
  /** One per group of the section; null where no trial of the group states the dimension. */
  readonly cells: readonly (DimensionCell | null)[];
}

export interface FamilySection extends FamilySummary, ListPage<DimensionRow> {
  /** Keys of the shown groups that have a finished trial in the family, in the job's order, with these trials. */
  readonly groups: readonly { readonly key: string; readonly nTrials: number }[];
  /** In the order in which the job's trials name them. */
  readonly rows: readonly DimensionRow[];
  /** Of the shown group when there is one alone, else of all trials of the family; null with fewer than two dimensions, and behind the first page of them. */
  readonly correlations: CorrelationMatrix | null;
}

/** The dimensions tab: some families of the job, one after the other, or some dimensions of one family. */
export interface DimensionsPanel extends ListPage<FamilySection> {
  readonly families: readonly FamilySummary[];
  readonly state: DerivedDetailsState;
}

/** Dimensions of a family on one page, fewer where they are large. */
const PAGE_ROWS = 100;
const PAGE_FAMILIES = 8;
/** Bytes of all dimensions of a page, of a cell beside its links, and of a link beside its names. */
const MAX_PAGE_BYTES = 1_000_000;
const CELL_BYTES = 1_200;
const LINK_BYTES = 250;
/** How often a row has its dimension's name: in its cell, titles of that and of the chart, what is said of each, and the file of the chart. */
const NAMES_OF_ROW = 5;
/** Links of a cell beside those of its bars: all its trials, those without a share, those at either end. */
const CELL_LINKS = 3;
/** Bytes of the correlations of a family, whose every cell names its pair beside the headings. */
const MAX_CORRELATION_BYTES = 400_000;
const NAMES_OF_CORRELATED = MOST_CORRELATED + 3;

/** What the dimensions tab asks for. */
export type DimensionsRequest = Pick<
  JobParams,
  "family" | "groups" | "groupsFrom" | "dimensionsFrom" | "page"
>;

/** The dimensions of a job by family of tasks, as of the last complete reading of its trials' files. */
export async function getDimensions(
  store: IndexStore,
  job: JobHead,
  request: DimensionsRequest,
): Promise<DimensionsPanel> {
  const families = await readFamilies(store, job.rowId);
  const chosen = families.filter(({ name }) => families.length === 1 || name === request.family);
  const isOne = chosen.length > 0;
  const page = takePage(isOne ? chosen : families, rangeOfPage(isOne ? 1 : request.page, PAGE_FAMILIES));
  const rows: FamilySection[] = [];
  const dimensionsFrom = isOne ? request.dimensionsFrom : 0;
  const maxBytes = MAX_PAGE_BYTES / page.rows.length;
  for (const family of page.rows)
    rows.push(await readSection(store, job, family, { ...request, dimensionsFrom }, maxBytes));
  return { ...page, rows, families, state: await getDerivedDetailsState(job) };
}

async function readSection(
  store: IndexStore,
  job: JobHead,
  family: FamilySummary,
  request: DimensionsRequest,
  maxBytes: number,
): Promise<FamilySection> {
  const range = { from: request.dimensionsFrom, limit: PAGE_ROWS };
  const [whole, { nTrials, correlations }] = await Promise.all([
    readDimensionPage(store, { jobRowId: job.rowId, family: family.name }, range),
    readFamilyDetail(store, job.rowId, family.position),
  ]);
  const all = job.groups.flatMap(({ group: { key } }) => {
    const n = nTrials.get(key) ?? 0;
    return n > 0 && isChosen(request, key) ? [{ key, nTrials: n }] : [];
  });
  const groups = takePart(all, request.groupsFrom, MOST_SHOWN_GROUPS);
  const fitting = takeFitting(whole.rows, maxBytes, (row) => countRowBytes(row, job, family, groups));
  const alone = all.length === 1 ? all[0]?.key : undefined;
  const stored = correlations.get(alone ?? "") ?? correlations.get("");
  const correlated = takeFitting(
    whole.rows,
    MAX_CORRELATION_BYTES,
    ({ name }) => NAMES_OF_CORRELATED * countPageBytes(name),
  );
  return {
    ...family,
    groups,
    ...whole,
    rows: whole.rows.slice(0, Math.max(1, fitting.length)).map((dimension) => toRow(dimension, groups)),
    correlations:
      stored === undefined || correlated.length < 2 || whole.nBefore > 0
        ? null
        : prepareCorrelationMatrix(
            correlated.map(({ name }) => name),
            stored,
          ),
  };
}

/** Every bar and every number of a cell links to its trials, by job, family, group and dimension. */
function countRowBytes(
  { name, cells }: DimensionSummary,
  job: JobHead,
  family: FamilySummary,
  groups: FamilySection["groups"],
): number {
  const linkBytes =
    LINK_BYTES + countAddressBytes(job.key) + countAddressBytes(family.name) + countAddressBytes(name);
  const own = groups.map(({ key }) => {
    const nBars = cells.get(key)?.counts.filter((count) => count > 0).length ?? 0;
    return CELL_BYTES + (CELL_LINKS + nBars) * (linkBytes + countAddressBytes(key));
  });
  return own.reduce((sum, bytes) => sum + bytes, linkBytes + NAMES_OF_ROW * countPageBytes(name));
}

function isChosen({ groups }: DimensionsRequest, key: string): boolean {
  return groups.length === 0 || groups.includes(key);
}

function toRow({ name, cells }: DimensionSummary, groups: FamilySection["groups"]): DimensionRow {
  return { name, cells: groups.map(({ key }) => cells.get(key) ?? null) };
}
