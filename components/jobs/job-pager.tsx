import type { Route } from "next";

import { ButtonLink } from "@/components/ui/button";
import { formatCount } from "@/lib/format/number";

/** Which rows of a table are shown, and the way to the pages before and after. Nothing when all fit on one page. */
export function JobPager({
  page,
  nPages,
  nMatching,
  nRows,
  size,
  hrefOf,
}: {
  page: number;
  nPages: number;
  nMatching: number;
  nRows: number;
  size: number;
  hrefOf: (page: number) => Route;
}) {
  if (nPages === 1) return null;
  const first = (page - 1) * size + 1;
  return (
    <nav className="job-pager" aria-label="Pages of the table">
      <span>
        {formatCount(first)} to {formatCount(first + nRows - 1)} of {formatCount(nMatching)}
      </span>
      {page > 1 ? <ButtonLink href={hrefOf(page - 1)}>Previous</ButtonLink> : null}
      {page < nPages ? <ButtonLink href={hrefOf(page + 1)}>Next</ButtonLink> : null}
      {nPages > 2 && page < nPages ? (
        <ButtonLink href={hrefOf(nPages)} look="bare">
          Last
        </ButtonLink>
      ) : null}
      {nPages > 2 && page > 1 ? (
        <ButtonLink href={hrefOf(1)} look="bare">
          First
        </ButtonLink>
      ) : null}
    </nav>
  );
}
