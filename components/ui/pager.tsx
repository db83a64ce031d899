import type { Route } from "next";

import type { ListPart, PagePlace } from "@/lib/core/domain/list-page";
import { formatCount, formatPlural } from "@/lib/core/format/number";

import { Link, type NavigationMode } from "./link";

interface PagerWords {
  readonly noun: string;
  readonly plural?: string;
  readonly label: string;
  readonly mode?: NavigationMode | undefined;
}

export function Pager({
  page: { nBefore, nMatching, size },
  nRows = Math.min(size, nMatching - nBefore),
  hrefOf,
  ...words
}: PagerWords & {
  page: PagePlace;
  nRows?: number;
  /** @param page - from 1 */
  hrefOf: (page: number) => Route;
}) {
  if (nRows >= nMatching) return null;
  const page = Math.floor(nBefore / size) + 1;
  const next = Math.floor((nBefore + nRows) / size) + 1;
  const nPages = Math.ceil(nMatching / size);
  const isLast = nBefore + nRows >= nMatching;
  return (
    <PagerLinks
      {...words}
      first={nBefore + 1}
      last={nBefore + nRows}
      total={nMatching}
      pages={`page ${formatCount(page)} of ${formatCount(nPages)}`}
      hrefs={[
        page === 1 ? null : hrefOf(1),
        page === 1 ? null : hrefOf(page - 1),
        isLast ? null : hrefOf(next),
        isLast ? null : hrefOf(nPages),
      ]}
    />
  );
}

export function PartPager({
  part: { from, shown, total },
  size,
  hrefOf,
  ...words
}: PagerWords & {
  part: ListPart;
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
  pages,
  noun,
  plural,
  label,
  mode = "push",
  hrefs,
}: PagerWords & {
  readonly first: number;
  readonly last: number;
  readonly total: number;
  readonly pages?: string;
  readonly hrefs: readonly (Route | null)[];
}) {
  return (
    <nav className="flow pager" aria-label={label}>
      <span>
        {formatCount(first)} to {formatCount(last)} of {formatPlural(total, noun, plural)}
        {pages === undefined ? null : `, ${pages}`}
      </span>
      {LINKS.map(({ name, rel }, at) => {
        const href = hrefs[at] ?? null;
        return href === null ? (
          <span key={name} className="button button-bare" aria-disabled="true">
            {name}
          </span>
        ) : (
          <Link key={name} className="button button-bare" href={href} rel={rel} mode={mode}>
            {name}
          </Link>
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
