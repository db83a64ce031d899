import type { Route } from "next";

import { type AddressValues, createAddress } from "../address/address";
import { direction, oneOf, text, wholeFrom } from "../address/values";

/** `level` puts problems first, each level by path. */
export const ISSUE_SORTS = ["level", "code", "path", "detail", "advice"] as const;

export type IssueSort = (typeof ISSUE_SORTS)[number];

export const PAGE_ISSUES = 100;

export const loadReportAddress = createAddress(
  {
    text,
    sort: oneOf(ISSUE_SORTS),
    descending: direction.withDefault(false),
    from: wholeFrom(0).withDefault(0),
  },
  { text: "q", descending: "dir" },
);

export type LoadReportParams = AddressValues<typeof loadReportAddress>;

export function loadReportHref(
  params: Partial<LoadReportParams>,
  change: Partial<LoadReportParams> = {},
): Route {
  return loadReportAddress.href("/load-report", { ...params, from: 0, ...change });
}
