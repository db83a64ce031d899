"use client";

import { ChevronDown } from "lucide-react";
import type { Route } from "next";
import type { ReactNode } from "react";

import { formatCount } from "@/lib/core/format/number";

import { Link } from "./link";

export interface FacetOption {
  readonly value: string;
  readonly label: ReactNode;
  readonly count: number | null;
  readonly selected: boolean;
  readonly href: Route;
}

/** Only the data of this part is sent to the browser. */
export function FacetPanel({
  label,
  options,
  nOptions,
  clearHref,
}: {
  label: string;
  options: readonly FacetOption[];
  nOptions: number;
  /** Without one, an option is always chosen. */
  clearHref?: Route | undefined;
}) {
  const chosen = options.filter((option) => option.selected);
  return (
    <details className={chosen.length > 0 ? "facet facet-on" : "facet"} data-menu="">
      <summary>
        {label}
        {chosen.length === 0 ? null : <b>{chosen.length === 1 ? chosen[0]?.label : chosen.length}</b>}
        <ChevronDown size={12} aria-hidden />
      </summary>
      <div className="facet-panel">
        <ul>
          {options.map((option) => (
            <li key={option.value}>
              <Link
                href={option.href}
                mode="replace"
                className={option.selected ? "facet-option facet-selected" : "facet-option"}
                aria-current={option.selected ? "true" : undefined}
              >
                <span className="check-box" aria-hidden="true" />
                <span className="cut">{option.label}</span>
                <span className="caption">{formatCount(option.count)}</span>
              </Link>
            </li>
          ))}
        </ul>
        {nOptions > options.length ? (
          <p className="facet-more caption">
            The {formatCount(options.length)} most common of {formatCount(nOptions)}.
          </p>
        ) : null}
        {chosen.length === 0 || clearHref === undefined ? null : (
          <Link className="facet-clear" href={clearHref} mode="replace">
            Clear {label.toLowerCase()}
          </Link>
        )}
      </div>
    </details>
  );
}
