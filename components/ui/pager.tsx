import type { Route } from "next";

import type { Cursor, ListPart, PagePlace } from "@/lib/domain/page-place";
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

/** What rows are called, and how the links to their pages are named. */
interface PagerWords {
  /** What a row is, in the singular. */
  readonly noun: string;
  /** In the plural, where that is not the singular with an s. */
  readonly plural?: string;
  /** Names the links for those who do not see where they stand. */
  readonly label: string;
}

/** Which rows of a list are shown, and the way to the pages around them. Nothing when all fit on one page. */
export function Pager({
  page: { nBefore, nMatching, before, after },
  nRows,
  hrefOf,
  ...words
}: PagerWords & {
  page: PagerPage;
  /** Rows of this page. */
  nRows: number;
  hrefOf: (place: PagePlace) => Route;
}) {
  if (nRows >= nMatching) return null;
  return (
    <PagerLinks
      {...words}
      first={nBefore + 1}
      last={nBefore + nRows}
      total={nMatching}
      hrefs={[
        before === null ? null : hrefOf({ kind: "first" }),
        before === null ? null : hrefOf({ kind: "before", cursor: before }),
        after === null ? null : hrefOf({ kind: "after", cursor: after }),
        after === null ? null : hrefOf({ kind: "last" }),
      ]}
    />
  );
}

/** The same of a list that is read in parts: each begins at a row's number. */
export function PartPager({
  part: { from, shown, total },
  size,
  hrefOf,
  ...words
}: PagerWords & {
  part: ListPart;
  /** Entries of a full part. */
  size: number;
  /** @param from - 0-based first entry */
  hrefOf: (from: number) => Route;
}) {
  if (shown >= total) return null;
  const next = from + shown;
  return (
    <PagerLinks
      {...words}
      first={from + 1}
      last={next}
      total={total}
      hrefs={[
        from === 0 ? null : hrefOf(0),
        from === 0 ? null : hrefOf(Math.max(0, from - size)),
        next >= total ? null : hrefOf(next),
        next >= total ? null : hrefOf(Math.max(next, total - size)),
      ]}
    />
  );
}

function PagerLinks({
  first,
  last,
  total,
  noun,
  plural,
  label,
  hrefs,
}: PagerWords & {
  readonly first: number;
  readonly last: number;
  readonly total: number;
  /** Of the first, the previous, the next and the last page; null where there is none. */
  readonly hrefs: readonly (Route | null)[];
}) {
  return (
    <nav className="pager" aria-label={label}>
      <span>
        {formatCount(first)} to {formatCount(last)} of {formatPlural(total, noun, plural)}
      </span>
      {LINKS.map(({ name, rel }, at) => {
        const href = hrefs[at] ?? null;
        return href === null ? (
          <span key={name} className="button button-bare" aria-disabled="true">
            {name}
          </span>
        ) : (
          <SoftLink key={name} className="button button-bare" href={href} rel={rel}>
            {name}
          </SoftLink>
        );
      })}
    </nav>
  );
}

const LINKS = [
  { name: "First", rel: undefined },
  { name: "Previous", rel: "prev" },
  { name: "Next", rel: "next" },
  { name: "Last", rel: undefined },
] as const;
