import type { Route } from "next";

import { formatCount } from "@/lib/core/format/number";

import { FilterChip } from "./filter-bar";

/** Each chip has the whole URL without its filter, and a URL may contain hundreds of filters. */
const MOST_CHIPS = 24;

export function FilterChips({
  chips,
}: {
  chips: readonly { readonly words: string; readonly href: Route }[];
}) {
  const shown = chips.slice(0, MOST_CHIPS);
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
