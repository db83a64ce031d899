import type { Route } from "next";

import { ButtonLink } from "@/components/ui/button";

/** Previous and next page of a long list; nothing when there is one page. */
export function PageLinks({
  params,
  nPages,
  hrefOf,
}: {
  params: { readonly page: number };
  nPages: number;
  hrefOf: (page: number) => Route;
}) {
  if (nPages <= 1) return null;
  const page = Math.min(params.page, nPages);
  return (
    <nav className="page-links" aria-label="Pages of the list">
      {page > 1 ? <ButtonLink href={hrefOf(page - 1)}>Previous</ButtonLink> : null}
      <span className="muted">
        Page {page} of {nPages}
      </span>
      {page < nPages ? <ButtonLink href={hrefOf(page + 1)}>Next</ButtonLink> : null}
    </nav>
  );
}
