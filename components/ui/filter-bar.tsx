"use client";

import { X } from "lucide-react";
import type { Route } from "next";
import type { ReactNode } from "react";

import { Link } from "./link";

import "./filter-bar.css";

/** The row above a table: filters at the left, what they leave and what can be done with it at the right. */
export function FilterBar({ children, end }: { children: ReactNode; end?: ReactNode }) {
  return (
    <div className="filter-bar" role="search" aria-label="This page">
      {children}
      {end === undefined ? null : <div className="filter-end">{end}</div>}
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
