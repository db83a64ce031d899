import type { Route } from "next";

import { type AddressValues, createAddress } from "./address";
import { direction, oneOf, text, wholeFrom } from "./values";

/** What the load report can be sorted by; by level problems come first, each level by path. */
export const ISSUE_SORTS = ["level", "code", "path", "detail", "advice"] as const;

export type IssueSort = (typeof ISSUE_SORTS)[number];

export const PAGE_ISSUES = 100;

export const loadReportAddress = createAddress(
  {
    text,
    sort: oneOf(ISSUE_SORTS),
    descending: direction.withDefault(false),
    /** 0-based first issue of the page. */
    from: wholeFrom(0).withDefault(0),
  },
  { text: "q", descending: "dir" },
);

export type LoadReportParams = AddressValues<typeof loadReportAddress>;

/** The address of the load report with some values changed; any change but of the page itself starts at the first issue. */
export function loadReportHref(
  params: Partial<LoadReportParams>,
  change: Partial<LoadReportParams> = {},
): Route {
  return loadReportAddress.href("/load-report", { ...params, from: 0, ...change });
}
