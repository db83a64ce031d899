import { compareParamsHref, type CompareParams } from "@/lib/addresses/compare";
import { SoftLink } from "@/components/ui/soft-link";
import { formatCount, formatPlural } from "@/lib/format/number";
import type { MatrixPage } from "@/lib/queries/compare/matrix";

import "@/components/ui/pager.css";

/** Which tasks of the matrix are shown, and the way to the others. Nothing when all fit on one page. */
export function MatrixPager({
  page,
  params,
  label,
}: {
  page: MatrixPage;
  params: CompareParams;
  /** Names the links for those who do not see where they stand. */
  label: string;
}) {
  const { number, nPages, nBefore, nShown, nMatching } = page;
  if (nPages === 1) return null;
  const link = (name: string, wanted: number, rel?: "prev" | "next") =>
    wanted < 1 || wanted > nPages || wanted === number ? (
      <span className="button button-bare" aria-disabled="true">
        {name}
      </span>
    ) : (
      <SoftLink
        className="button button-bare"
        href={compareParamsHref(params, { matrixPage: wanted })}
        way="stay"
        rel={rel}
      >
        {name}
      </SoftLink>
    );
  return (
    <nav className="pager" aria-label={label}>
      <span>
        {formatCount(nBefore + 1)} to {formatCount(nBefore + nShown)} of {formatPlural(nMatching, "task")}
      </span>
      {link("First", 1)}
      {link("Previous", number - 1, "prev")}
      {link("Next", number + 1, "next")}
      {link("Last", nPages)}
    </nav>
  );
}
