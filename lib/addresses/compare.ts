import type { Route } from "next";

import { COMPARE_SHOWS, COMPARE_SORTS, MAX_GROUPS } from "@/lib/domain/compare-filter";
import {
  type AddressValues,
  createAddress,
  listSearchValues,
  refuseUnknown,
  type SearchValues,
} from "./address";
import { direction, flag, name, names, number, oneOf, pageNumber, text, wholeFrom } from "./values";

/** The address of the compare page. */
export const compareAddress = createAddress(
  {
    /** References of the chosen groups, first to last; at most {@link MAX_GROUPS} are read. */
    refs: names,
    /** Reward key; null for the one that most trials carry. */
    key: name,
    /** An attempt passes when its reward is at least this. */
    threshold: number.withDefault(1),
    /** What a missing reward counts as: 0, or it is left out. */
    missing: oneOf(["zero", "exclude"]),
    /** Whether curves are over the tasks that all groups share, or each over its own. */
    tasks: oneOf(["common", "own"]),
    /** The k to read values at; null for the largest. */
    k: wholeFrom(1),
    /** Page of the matrix; beyond the last it is the last. */
    matrixPage: pageNumber,
    sort: oneOf(COMPARE_SORTS),
    descending: direction,
    show: oneOf(COMPARE_SHOWS),
    /** Whether the curves are shown as a table. */
    asTable: flag("table"),
    /** Whether the picker is open although enough groups are chosen. */
    picking: flag("1"),
    /** Text that the picker is filtered by. */
    text,
    /** Page of the picker. */
    pickerPage: pageNumber,
  },
  {
    refs: "g",
    matrixPage: "page",
    pickerPage: "pick_page",
    descending: "dir",
    asTable: "view",
    picking: "pick",
    text: "q",
  },
);

/** What the address of the compare page says. */
export interface CompareParams extends AddressValues<typeof compareAddress> {
  readonly descending: boolean;
}

/** What a comparison is of. */
export type CompareFilter = Omit<CompareParams, "asTable" | "picking" | "text" | "pickerPage">;

/** Names ascend, amounts descend. */
function descends(sort: CompareParams["sort"] | undefined): boolean {
  return sort !== "task";
}

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseCompareParams(search: SearchValues): CompareParams {
  const params = compareAddress.read(search);
  return {
    ...params,
    refs: [...new Set(params.refs)].slice(0, MAX_GROUPS),
    descending: params.descending ?? descends(params.sort),
  };
}

/** How many groups the address names, of which {@link parseCompareParams} reads the first {@link MAX_GROUPS}. */
export function countNamedGroups(search: SearchValues): number {
  return new Set(compareAddress.read(search).refs).size;
}

/** Changes that leave the matrix's rows and their order alone. */
const KEEPS_ROWS: ReadonlySet<string> = new Set(["k", "asTable"]);

/** The address of the compare page with some values changed; another text or other rows start at their first page. */
export function compareParamsHref(
  params: Partial<CompareParams>,
  change: Partial<CompareParams> = {},
): Route {
  const keepsRows = Object.keys(change).every((one) => KEEPS_ROWS.has(one));
  const matrixPage = keepsRows ? params.matrixPage : 1;
  const pickerPage = "text" in change ? 1 : params.pickerPage;
  const next = { ...params, matrixPage, pickerPage, ...change };
  const descending = next.descending === descends(next.sort) ? null : next.descending;
  return compareAddress.href("/compare", { ...next, descending });
}

/** The address of the curves as a file, with the values that decide what curves are. */
export function curvesHref(params: CompareParams, format: "csv" | "svg"): Route {
  const { refs, key, threshold, missing, tasks, k } = params;
  return compareAddress.href(`/compare/curves.${format}`, { refs, key, threshold, missing, tasks, k });
}

/** What an address of {@link curvesHref} asks for. @throws ValidationError for a value that nobody knows */
export function readCompareRequest(url: string): CompareParams {
  const search = listSearchValues(url);
  refuseUnknown(compareAddress.listUnknown(search));
  return parseCompareParams(search);
}
