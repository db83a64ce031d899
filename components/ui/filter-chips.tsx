import type { Route } from "next";

import { countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { formatCount } from "@/lib/core/format/number";

import { FilterChip } from "./filter-bar";

/** Each chip has the whole URL without its filter, and a URL may contain hundreds of filters. */
const MOST_CHIP_BYTES = 100_000;

export function FilterChips({
  chips,
}: {
  chips: readonly { readonly words: string; readonly href: Route }[];
}) {
  const shown = takeFitting(chips, MOST_CHIP_BYTES, ({ href }) => countPageBytes(href));
  return (
    <>
      {shown.map(({ words, href }) => (
        <FilterChip key={words} removeHref={href}>
          {words}
        </FilterChip>
      ))}
      {shown.length === chips.length ? null : (
        <span className="muted">and {formatCount(chips.length - shown.length)} more</span>
      )}
    </>
  );
}
