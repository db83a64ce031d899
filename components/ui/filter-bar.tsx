"use client";

import { X } from "lucide-react";
import type { Route } from "next";
import type { ReactNode } from "react";

import { Link } from "./link";

import "./filter-bar.css";

/**
 * The row above a table: filters at the left, what they leave and what can be done with it at the right.
 *
 * @param label - names it where a page has two
 * @param count - how much the filters leave, which screen readers are told when it changes
 */
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
    <div className="filter-bar" role="search" aria-label={label}>
      {children}
      {count === undefined && end === undefined ? null : (
        <div className="filter-end">
          {count === undefined ? null : <span role="status">{count}</span>}
          {end}
        </div>
      )}
    </div>
  );
}

/** A filter that is on, as a chip whose cross takes it off. */
export function FilterChip({ children, removeHref }: { children: ReactNode; removeHref: Route }) {
  return (
    <Link className="chip chip-on" href={removeHref} mode="replace" title="Remove this filter">
      {children}
      <X size={12} aria-hidden />
    </Link>
  );
}
