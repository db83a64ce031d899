import { ChevronRight, Search } from "lucide-react";
import type { Route } from "next";
import Link from "next/link";
import { Fragment, type ReactNode } from "react";

import { KeyCap } from "@/components/ui/button";

import { KeySheetButton } from "./key-sheet-button";
import { ThemeToggle } from "./theme-toggle";

/** One part of the way to this page; the last one is the page itself and has no link. */
export interface Crumb {
  readonly label: string;
  readonly href?: Route;
}

/**
 * The frame of every page: breadcrumbs and search above, the content below. `narrow` leaves only the icons of the rail,
 * for pages that need the width.
 */
export function PageFrame({
  crumbs,
  narrow = false,
  children,
}: {
  crumbs: readonly Crumb[];
  narrow?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={narrow ? "page page-narrow-rail" : "page"}>
      <header className="topbar">
        <nav className="crumbs" aria-label="Breadcrumb">
          {crumbs.map((crumb, index) => (
            <Fragment key={`${index}-${crumb.label}`}>
              {index === 0 ? null : <ChevronRight size={12} aria-hidden />}
              {crumb.href === undefined ? (
                <span className="cut" aria-current="page" title={crumb.label}>
                  {crumb.label}
                </span>
              ) : (
                <Link href={crumb.href} className="cut" title={crumb.label}>
                  {crumb.label}
                </Link>
              )}
            </Fragment>
          ))}
        </nav>
        <form className="topbar-search" action="/" role="search" aria-label="All jobs">
          <Search size={14} aria-hidden />
          <label className="screen-reader" htmlFor="topbar-search">
            Search jobs, tasks, agents and models
          </label>
          <input
            id="topbar-search"
            name="q"
            type="search"
            placeholder="Search"
            autoComplete="off"
            data-search=""
          />
          <KeyCap>Ctrl K</KeyCap>
        </form>
        <ThemeToggle />
        <KeySheetButton />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
