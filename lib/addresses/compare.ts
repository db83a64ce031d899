import type { Route } from "next";
import { z } from "zod";

import { COMPARE_SHOWS, COMPARE_SORTS, MAX_GROUPS } from "@/lib/domain/compare-filter";
import { buildHref, compareHref } from "./href";
import { FIRST_PAGE, type PagePlace } from "@/lib/domain/page-place";
import type { CompareFilter } from "@/lib/domain/compare-filter";
import { lastParam, listParam, numberParam, oneOf, type SearchValues, textParam } from "./params";
import { formatPlace, parsePlace } from "./place";

/** What the address of the compare page says. */
export interface CompareParams extends CompareFilter {
  /** Whether the picker is open although enough groups are chosen. */
  readonly picking: boolean;
  /** Text that the picker is filtered by. */
  readonly text: string;
  /** Page of the picker. */
  readonly place: PagePlace;
  /** Whether the curves are shown as a table. */
  readonly asTable: boolean;
}

const schema = z.object({
  g: listParam.transform((values) => [...new Set(values)].slice(0, MAX_GROUPS)),
  key: lastParam.transform((value) => value ?? null),
  threshold: numberParam.transform((value) => value ?? 1),
  missing: oneOf(["exclude", "zero"], "zero"),
  tasks: oneOf(["own", "common"], "common"),
  k: numberParam.transform((value) =>
    value !== null && Number.isInteger(value) && value > 0 ? value : null,
  ),
  page: numberParam.transform((value) =>
    value !== null && Number.isInteger(value) && value > 0 ? value : 1,
  ),
  sort: oneOf(COMPARE_SORTS, "difference"),
  dir: oneOf(["asc", "desc"], null),
  show: oneOf(COMPARE_SHOWS, "all"),
  pick: lastParam.transform((value) => value === "1"),
  q: textParam,
  view: lastParam.transform((value) => value === "table"),
});

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseCompareParams(search: SearchValues): CompareParams {
  const params = schema.parse(search);
  return {
    refs: params.g,
    key: params.key,
    threshold: params.threshold,
    missing: params.missing,
    tasks: params.tasks,
    k: params.k,
    matrixPage: params.page,
    sort: params.sort,
    descending: params.dir === null ? params.sort !== "task" : params.dir === "desc",
    show: params.show,
    picking: params.pick,
    text: params.q,
    place: parsePlace(search),
    asTable: params.view,
  };
}

/** The query values of the compare page, defaults left out; `g` apart. */
export function listCompareQuery(params: CompareParams): Record<string, string | undefined> {
  const isDefaultDirection = params.descending === (params.sort !== "task");
  return {
    key: params.key ?? undefined,
    threshold: params.threshold === 1 ? undefined : String(params.threshold),
    missing: params.missing === "zero" ? undefined : params.missing,
    tasks: params.tasks === "common" ? undefined : params.tasks,
    k: params.k === null ? undefined : String(params.k),
    page: params.matrixPage === 1 ? undefined : String(params.matrixPage),
    sort: params.sort === "difference" ? undefined : params.sort,
    dir: isDefaultDirection ? undefined : params.descending ? "desc" : "asc",
    show: params.show === "all" ? undefined : params.show,
    view: params.asTable ? "table" : undefined,
    pick: params.picking ? "1" : undefined,
    q: params.text === "" ? undefined : params.text,
    ...formatPlace(params.place),
  };
}

/** What may change without other rows in the matrix, or in another order. */
const KEEPS_ROWS: ReadonlySet<string> = new Set(["k", "asTable"]);

/** The address of the compare page with some values changed; another text or other rows start at their first page. */
export function compareParamsHref(params: CompareParams, change: Partial<CompareParams> = {}): Route {
  const place = "text" in change ? FIRST_PAGE : params.place;
  const keepsRows = Object.keys(change).every((name) => KEEPS_ROWS.has(name));
  const next = { ...params, place, matrixPage: keepsRows ? params.matrixPage : 1, ...change };
  return compareHref(next.refs, listCompareQuery(next));
}

/** Query values that decide what curves are, and not how the page shows them. */
const CURVE_VALUES = ["key", "threshold", "missing", "tasks", "k"] as const;

/** The address of the curves as a file. */
export function curvesHref(params: CompareParams, format: "csv" | "svg"): Route {
  const query = listCompareQuery(params);
  const kept = Object.fromEntries(CURVE_VALUES.map((name) => [name, query[name]]));
  return buildHref(`/compare/curves.${format}`, { g: params.refs, ...kept });
}

/** Reads the address of a request that is not a page. */
export function readCompareRequest(search: URLSearchParams): CompareParams {
  const names = [...new Set(search.keys())];
  return parseCompareParams(Object.fromEntries(names.map((name) => [name, search.getAll(name)])));
}
