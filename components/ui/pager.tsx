import type { Route } from "next";

import type { Cursor, PagePlace } from "@/lib/domain/page-place";
import { formatCount, formatPlural } from "@/lib/format/number";

import { SoftLink } from "./soft-link";

import "./pager.css";

/** Where a page of a list stands in it. */
export interface PagerPage {
  readonly nBefore: number;
  readonly nMatching: number;
  /** Null on the first page. */
  readonly before: Cursor | null;
  /** Null on the last page. */
  readonly after: Cursor | null;
}

/** Which rows of a list are shown, and the way to the pages around them. Nothing when all fit on one page. */
export function Pager({
  page,
  nRows,
  noun,
  plural,
  label,
  hrefOf,
}: {
  page: PagerPage;
  /** Rows of this page. */
  nRows: number;
  /** What a row is, in the singular. */
  noun: string;
  /** In the plural, where that is not the singular with an s. */
  plural?: string;
  /** Names the links for those who do not see where they stand. */
  label: string;
  hrefOf: (place: PagePlace) => Route;
}) {
  const { nBefore, nMatching, before, after } = page;
  if (nRows >= nMatching) return null;
  const link = (name: string, place: PagePlace | null, rel?: "prev" | "next") =>
    place === null ? (
      <span className="button button-bare" aria-disabled="true">
        {name}
      </span>
    ) : (
      <SoftLink className="button button-bare" href={hrefOf(place)} rel={rel}>
        {name}
      </SoftLink>
    );
  return (
    <nav className="pager" aria-label={label}>
      <span>
        {formatCount(nBefore + 1)} to {formatCount(nBefore + nRows)} of{" "}
        {formatPlural(nMatching, noun, plural)}
      </span>
      {link("First", before === null ? null : { kind: "first" })}
      {link("Previous", before === null ? null : { kind: "before", cursor: before }, "prev")}
      {link("Next", after === null ? null : { kind: "after", cursor: after }, "next")}
      {link("Last", after === null ? null : { kind: "last" })}
    </nav>
  );
}
