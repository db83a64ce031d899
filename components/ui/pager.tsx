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
  const nPages = Math.ceil(nMatching / size);
  const page = Math.floor(nBefore / size) + 1;
  return (
    <PagerLinks
      {...words}
      from={nBefore}
      next={nBefore + nRows}
      total={nMatching}
      pages={`page ${formatCount(page)} of ${formatCount(nPages)}`}
      before={[1, page - 1].map(hrefOf)}
      after={[Math.floor((nBefore + nRows) / size) + 1, nPages].map(hrefOf)}
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
  const next = from + shown;
  return (
    <PagerLinks
      {...words}
      from={from}
      next={next}
      total={total}
      before={[0, Math.max(0, from - size)].map(hrefOf)}
      after={[next, Math.max(next, total - size)].map(hrefOf)}
    />
  );
}

function PagerLinks({
  from,
  next,
  total,
  pages,
  noun,
  plural,
  label,
  mode = "push",
  before,
  after,
}: PagerWords & {
  from: number;
  next: number;
  total: number;
  pages?: string;
  /** The first part and the previous one; the next part and the last one. */
  before: readonly Route[];
  after: readonly Route[];
}) {
  if (from === 0 && next >= total) return null;
  const hrefs = [...(from === 0 ? [null, null] : before), ...(next >= total ? [null, null] : after)];
  return (
    <nav className="flow pager" aria-label={label}>
      <span>
        {formatCount(from + 1)} to {formatCount(next)} of {formatPlural(total, noun, plural)}
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
