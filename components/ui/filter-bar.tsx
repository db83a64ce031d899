"use client";

import { X } from "lucide-react";
import type { Route } from "next";
import type { ReactNode } from "react";

import { formatCount } from "@/lib/core/format/number";

import { Link } from "./link";

export function FilterBar({
  label = "This page",
  children,
  count,
  end,
}: {
  label?: string;
  children: ReactNode;
  count?: string;
  end?: ReactNode;
}) {
  return (
    <div className="flow filter-bar" role="search" aria-label={label}>
      {children}
      {count === undefined && end === undefined ? null : (
        <div className="flow filter-end">
          {count === undefined ? null : <span role="status">{count}</span>}
          {end}
        </div>
      )}
    </div>
  );
}

export function FilterChip({ children, removeHref }: { children: ReactNode; removeHref: Route }) {
  return (
    <Link className="chip chip-on" href={removeHref} mode="replace" title="Remove this filter">
      {children}
      <X size={12} aria-hidden />
    </Link>
  );
}

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
