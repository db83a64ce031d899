import "server-only";
import { prepareCorrelationMatrix } from "@/lib/core/charts/correlation-matrix";
import { MOST_SHOWN_GROUPS } from "@/lib/core/domain/job-filter";
import { rangeOfPage, takePage } from "@/lib/core/domain/list-page";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { takePart } from "@/lib/core/domain/trial-lists";
import type { DimensionsParams } from "@/lib/pages/job/address";
import {
  type DimensionSummary,
  type FamilySummary,
  type IndexStore,
  type JobHead,
  MOST_CORRELATED,
  readDimensionPage,
  readFamilies,
  readFamilyDetail,
} from "@/lib/store/tables";

import { listDatasets } from "../datasets/list";
import { getCached, getIdentityOf } from "../shell/catalog";
import { type DerivedDetailsState, getDerivedDetailsState } from "../shell/derived-details-state";
import { getDimensionOverview } from "./dimension-overview";
import { type DimensionSet, readDimensionSides } from "./dimension-sides";
import { readDimensionsBeside } from "./dimensions-beside";

/** Dimensions of a family per page, fewer if they are large. */
const PAGE_ROWS = 100;
const PAGE_FAMILIES = 8;
/** Bytes of all dimensions on a page, of a cell without its links, and of a link without its names. */
const MAX_PAGE_BYTES = 1_000_000;
const CELL_BYTES = 1_200;
const LINK_BYTES = 250;
/** Times that a row repeats its dimension's name: in its cell, two titles, descriptions and the chart file. */
const NAMES_OF_ROW = 5;
/** Links of a cell besides its bars: all trials, those without a share, and those at either end. */
const CELL_LINKS = 3;
/** Bytes of the correlations of a family. Each cell names its pair, in addition to the headings. */
const MAX_CORRELATION_BYTES = 400_000;
const NAMES_OF_CORRELATED = MOST_CORRELATED + 3;

export type DimensionsPanel = Awaited<ReturnType<typeof getDimensions>>;

type DimensionsRequest = Pick<DimensionsParams, "family" | "groups" | "groupsFrom" | "partFrom" | "page">;

/** Returns dimensions by family of tasks, as of the last complete read of the trial files. */
export async function getDimensions(store: IndexStore, job: JobHead, request: DimensionsRequest) {
  const families = await readFamilies(store, job.rowId);
  const chosen = families.filter(({ name }) => families.length === 1 || name === request.family);
  const isOne = chosen.length > 0;
  const page = takePage(isOne ? chosen : families, rangeOfPage(isOne ? 1 : request.page, PAGE_FAMILIES));
  const rows: FamilySection[] = [];
  const partFrom = isOne ? request.partFrom : 0;
  const maxBytes = MAX_PAGE_BYTES / page.rows.length;
  for (const family of page.rows)
    rows.push(await readSection(store, job, family, { ...request, partFrom }, maxBytes));
  return { ...page, rows, families, state: await getDerivedDetailsState(job) };
}

export type FamilySection = Awaited<ReturnType<typeof readSection>>;

async function readSection(
  store: IndexStore,
  job: JobHead,
  family: FamilySummary,
  request: DimensionsRequest,
  maxBytes: number,
) {
  const range = { from: request.partFrom, limit: PAGE_ROWS };
  const [whole, { nTrials, correlations }] = await Promise.all([
    readDimensionPage(store, { jobRowId: job.rowId, family: family.name }, range),
    readFamilyDetail(store, job.rowId, family.position),
  ]);
  const all = job.groups.flatMap(({ group: { key } }) => {
    const n = nTrials.get(key) ?? 0;
    const isChosen = request.groups.length === 0 || request.groups.includes(key);
    return n > 0 && isChosen ? [{ key, nTrials: n }] : [];
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
    /** For the only visible group, else for all trials. Null with fewer than two dimensions, and after the first page. */
    correlations:
      stored === undefined || correlated.length < 2 || whole.nBefore > 0
        ? null
        : prepareCorrelationMatrix(
            correlated.map(({ name }) => name),
            stored,
          ),
  };
}

function countRowBytes(
  { name, cells }: DimensionSummary,
  job: JobHead,
  family: FamilySummary,
  groups: readonly { readonly key: string }[],
): number {
  const linkBytes =
    LINK_BYTES + countAddressBytes(job.key) + countAddressBytes(family.name) + countAddressBytes(name);
  const own = groups.map(({ key }) => {
    const nBars = cells.get(key)?.counts.filter((count) => count > 0).length ?? 0;
    return CELL_BYTES + (CELL_LINKS + nBars) * (linkBytes + countAddressBytes(key));
  });
  return own.reduce((sum, bytes) => sum + bytes, linkBytes + NAMES_OF_ROW * countPageBytes(name));
}

export type DimensionRow = ReturnType<typeof toRow>;

function toRow({ name, cells }: DimensionSummary, groups: readonly { readonly key: string }[]) {
  return { name, cells: groups.map(({ key }) => cells.get(key) ?? null) };
}

export type DimensionsTab = Awaited<ReturnType<typeof getDimensionsTab>>;

export async function getDimensionsTab(
  store: IndexStore,
  job: JobHead,
  params: Pick<DimensionsParams, "groups" | "beside" | "pooled">,
) {
  const [datasets, identityOf] = await Promise.all([getCached("datasets", listDatasets), getIdentityOf()]);
  const sides = await readDimensionSides({ store, datasets, identityOf }, job, params);
  const { pooled, other, poolChoices, besideChoices } = sides;
  const set = pooled === "unknown" ? null : pooled;
  const overview = await getDimensionOverview(store, job, params, set);
  const found = { poolChoices, besideChoices, overview, pooled, poolState: await readState(listJobs(set)) };
  if (other === null || other === "unknown") return { ...found, otherSet: null, beside: other };
  const otherSet = "runs" in other ? other : null;
  const state = await readState("runs" in other ? listJobs(other) : [other]);
  const request = { job, pooled: set, other, groups: params.groups, state };
  return { ...found, otherSet, beside: await readDimensionsBeside(store, request, datasets) };
}

function listJobs(set: DimensionSet | null): readonly JobHead[] {
  return set?.runs.map(({ job }) => job) ?? [];
}

async function readState(jobs: readonly JobHead[]): Promise<DerivedDetailsState> {
  const states = await Promise.all(jobs.map(getDerivedDetailsState));
  return states.includes("reading") ? "reading" : "complete";
}
