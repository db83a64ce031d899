"use client";

import { ChevronDown, X } from "lucide-react";
import type { Route } from "next";
import type { ReactNode } from "react";

import { formatCount } from "@/lib/format/number";

import { SoftLink } from "./soft-link";

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

/** One value of a facet; its link adds or removes it. */
export interface FacetOption {
  readonly value: string;
  readonly label: ReactNode;
  readonly count: number | null;
  readonly selected: boolean;
  readonly href: Route;
}

/** A longer menu helps nobody and makes the page heavy; the text filter finds the others. */
const SHOWN_AT_MOST = 200;

/** A facet as a menu of links: works without scripts, several values may be chosen, the address keeps them. */
export function FacetMenu({
  label,
  options,
  nOptions = options.length,
  clearHref,
}: {
  label: string;
  options: readonly FacetOption[];
  /** How many values there are, where `options` are only the commonest. */
  nOptions?: number;
  clearHref: Route;
}) {
  const chosen = options.filter((option) => option.selected);
  if (options.length === 0) return null;
  return (
    <details className={chosen.length > 0 ? "facet facet-on" : "facet"} data-menu="">
      <summary>
        {label}
        {chosen.length === 0 ? null : <b>{chosen.length === 1 ? chosen[0]?.label : chosen.length}</b>}
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <ul>
          {options.slice(0, SHOWN_AT_MOST).map((option) => (
            <li key={option.value}>
              <SoftLink
                href={option.href}
                way="replace"
                className={option.selected ? "facet-option facet-selected" : "facet-option"}
                aria-current={option.selected ? "true" : undefined}
              >
                <span className="check-box" aria-hidden="true" />
                <span className="cut">{option.label}</span>
                <span className="facet-count">{formatCount(option.count)}</span>
              </SoftLink>
            </li>
          ))}
        </ul>
        {nOptions > Math.min(options.length, SHOWN_AT_MOST) ? (
          <p className="facet-more caption">
            The {formatCount(Math.min(options.length, SHOWN_AT_MOST))} commonest of {formatCount(nOptions)}.
          </p>
        ) : null}
        {chosen.length === 0 ? null : (
          <SoftLink className="facet-clear" href={clearHref} way="replace">
            Clear {label.toLowerCase()}
          </SoftLink>
        )}
      </div>
    </details>
  );
}

/** A filter that is on, as a chip whose cross takes it off. */
export function FilterChip({ children, removeHref }: { children: ReactNode; removeHref: Route }) {
  return (
    <SoftLink className="filter-chip" href={removeHref} way="replace" title="Remove this filter">
      {children}
      <X size={12} aria-hidden />
    </SoftLink>
  );
}
