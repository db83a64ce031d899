"use client";

import { ChevronRight, CircleUserRound, Search, Contrast, Clock } from "lucide-react";
import type { Route } from "next";
import { Fragment, type ReactNode } from "react";

import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { PrefetchLink } from "@/components/ui/prefetch-link";
import { toggleZone, useOwnZone, usePageClock } from "@/components/ui/time-text";
import { ChangeContext, useQueuedClicks } from "@/components/ui/use-queued-clicks";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration, UTC_ZONE } from "@/lib/core/format/time";
import type { IndexStatus } from "@/lib/store/indexer";

import { useAccountName } from "./account-context";
import { CommandKey } from "./command-key";
import { HelpLink, KeySheetButton } from "./key-sheet-button";
import { useLiveState } from "./live-state";
import { openPalette, OpenPalette } from "./palette";
import { toggleTheme } from "./theme";

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
  const queued = useQueuedClicks();
  const isUnread = isEmpty && status?.isComplete === false && status.phase !== "failed";
  return (
    <div className={narrow ? "page page-narrow-rail" : "page"}>
      <header className="row topbar">
        <nav className="row crumbs" aria-label="Breadcrumb">
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
        <Button
          look="bare"
          className="icon-only"
          title="Light or dark"
          aria-label="Switch between light and dark"
          onClick={toggleTheme}
        >
          <Contrast size={16} aria-hidden />
        </Button>
        <AccountLink />
        <KeySheetButton />
        <HelpLink />
      </header>
      <main id="main" tabIndex={-1} {...queued.handlers}>
        {unknown.length === 0 ? null : (
          <p className="muted">This page ignored unknown URL values: {unknown.join(", ")}.</p>
        )}
        {isUnread ? (
          <Notice title="Still reading folders">This page updates while jobs and trials are read.</Notice>
        ) : (
          <ChangeContext value={queued.begin}>{children}</ChangeContext>
        )}
      </main>
      <PrintedZone />
    </div>
  );
}

function AccountLink() {
  const name = useAccountName();
  if (name === null) return null;
  return (
    <PrefetchLink
      href="/account"
      className="button button-bare icon-only"
      title={`Signed in as ${name}`}
      aria-label={`Account of ${name}`}
    >
      <CircleUserRound size={16} strokeWidth={1.5} aria-hidden />
    </PrefetchLink>
  );
}

/** At startup this many trials are read before a line about it could be rendered. */
const FEW_TRIALS = 500;

/** Renders nothing while the index is current. `live-updates.tsx` tells screen readers. */
function IndexProgress() {
  const status = useLiveState()?.status;
  if (status === undefined) return null;
  if (status.phase === "failed")
    return (
      <a className="row index-progress index-progress-failed" href="#index-failure">
        <Mark status="errored" />
        Index not up to date
      </a>
    );
  const words = describeProgress(status);
  if (words === null) return status.phase === "reading" ? <ReadingProgress status={status} /> : null;
  return (
    <p className="row index-progress" title={status.phase === "following" ? FOLLOWING : undefined}>
      {words}
    </p>
  );
}

const FOLLOWING =
  "Another Assay process is updating the index. This one follows and takes over when it ends.";

function describeProgress(status: IndexStatus): string | null {
  const { phase, isComplete, nFilesListed, nFilesFetched, nFilesToFetch } = status;
  if (nFilesToFetch > 0)
    return `Fetching ${formatCount(nFilesFetched)} of ${formatPlural(nFilesToFetch, "file")}`;
  if (nFilesListed > 0) return `Listing the bucket: ${formatPlural(nFilesListed, "file")} so far`;
  if (phase === "following")
    return isComplete ? "Updated by another Assay" : "Another Assay is reading the folders";
  if (isComplete || phase === "reading" || phase === "current") return null;
  return phase === "checking" ? "Scanning for changes since the last start" : "Scanning for jobs";
}

function ReadingProgress({ status }: { status: IndexStatus }) {
  const { nTrialsRead, nTrialsToRead, rate, secondsLeft, isComplete } = status;
  if (isComplete && nTrialsToRead < FEW_TRIALS) return null;
  const isPaced = rate !== null && secondsLeft !== null;
  return (
    <p className="row index-progress">
      {nTrialsToRead > 0 ? <progress value={nTrialsRead} max={nTrialsToRead} aria-hidden="true" /> : null}
      <span>
        {nTrialsToRead > nTrialsRead
          ? `Reading: ${formatCount(nTrialsToRead - nTrialsRead)} of ${formatPlural(nTrialsToRead, "trial")} left`
          : "Writing the index"}
      </span>
      {isPaced ? (
        <span className="index-pace">
          · {formatCount(rate)}/s · {formatDuration(secondsLeft * 1000)} left
        </span>
      ) : null}
    </p>
  );
}

/** A key presses it, see `key-map.ts`. */
function PaletteButton() {
  return (
    <>
      <button
        type="button"
        className="row topbar-search"
        data-command="everywhere.search"
        aria-haspopup="dialog"
        onClick={() => openPalette("search")}
      >
        <Search size={14} aria-hidden />
        <span>Search</span>
        <CommandKey id="everywhere.search" />
      </button>
      <OpenPalette />
    </>
  );
}

function ZoneToggle() {
  const { zone } = usePageClock();
  const own = useOwnZone();
  const other = zone === UTC_ZONE ? own : UTC_ZONE;
  const name = formatZone(zone);
  const cityAt = name.lastIndexOf("/") + 1;
  const words = (
    <>
      <Clock size={14} aria-hidden />
      <span className="cut">
        <span className="zone-words">Times in </span>
        <span className="zone-area">{name.slice(0, cityAt)}</span>
        {name.slice(cityAt)}
      </span>
    </>
  );
  if (other === zone) {
    return (
      <span className="row zone-toggle" title="Your time zone is UTC">
        {words}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="button button-bare zone-toggle"
      title={other === null ? undefined : `Show times in ${formatZone(other)}`}
      onClick={() => toggleZone(zone)}
    >
      {words}
    </button>
  );
}

/** Paper has no bar above the page. */
function PrintedZone() {
  const { zone } = usePageClock();
  return <p className="zone-printed caption">Times in {formatZone(zone)}.</p>;
}

function formatZone(zone: string): string {
  return zone.replaceAll("_", " ");
}
