"use client";

import { ChevronRight } from "lucide-react";
import type { Route } from "next";
import { Fragment, type ReactNode } from "react";

import { Notice } from "@/components/ui/notice";
import { PrefetchLink } from "@/components/ui/prefetch-link";

import { AccountLink } from "./account-link";
import { HelpLink } from "./help-link";
import { IndexProgress } from "./index-progress";
import { KeySheetButton } from "./key-sheet-button";
import { useLiveState } from "./live-state";
import { PaletteButton } from "./palette-button";
import { ThemeToggle } from "./theme-toggle";
import { PrintedZone, ZoneToggle } from "./zone-toggle";

export interface Crumb {
  readonly label: string;
  readonly href?: Route;
}

/** `narrow` reduces the rail to its icons. */
export function PageFrame({
  crumbs,
  narrow = false,
  unknown = [],
  isEmpty = false,
  children,
}: {
  crumbs: readonly Crumb[];
  narrow?: boolean;
  unknown?: readonly string[];
  /** True if the page has nothing to count, which is not 0 while folders are being read. */
  isEmpty?: boolean;
  children: ReactNode;
}) {
  const status = useLiveState()?.status;
  const isUnread = isEmpty && status?.isComplete === false && status.phase !== "failed";
  return (
    <div className={narrow ? "page page-narrow-rail" : "page"}>
      <header className="row topbar">
        <nav className="crumbs" aria-label="Breadcrumb">
          {crumbs.map((crumb, index) => (
            <Fragment key={`${index}-${crumb.label}`}>
              {index === 0 ? null : <ChevronRight size={12} aria-hidden />}
              {crumb.href === undefined ? (
                <span className="cut" aria-current="page" title={crumb.label}>
                  {crumb.label}
                </span>
              ) : (
                <PrefetchLink href={crumb.href} className="cut" title={crumb.label}>
                  {crumb.label}
                </PrefetchLink>
              )}
            </Fragment>
          ))}
        </nav>
        <IndexProgress />
        <PaletteButton />
        <ZoneToggle />
        <ThemeToggle />
        <AccountLink />
        <KeySheetButton />
        <HelpLink />
      </header>
      <main id="main" tabIndex={-1}>
        {unknown.length === 0 ? null : (
          <p className="muted">
            This page ignored address values it does not recognise: {unknown.join(", ")}.
          </p>
        )}
        {isUnread ? (
          <Notice title="Still reading the folders">This page fills while jobs and trials are read.</Notice>
        ) : (
          children
        )}
      </main>
      <PrintedZone />
    </div>
  );
}
