"use client";

import { Mark } from "@/components/ui/mark";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import type { IndexStatus } from "@/lib/store/indexer";

import { useLiveState } from "./live-state";

import "./index-state.css";

/** At startup this many trials are read before a line about it could be rendered. */
const FEW_TRIALS = 500;

/** Renders nothing while the index is current. `live-updates.tsx` tells screen readers. */
export function IndexProgress() {
  const status = useLiveState()?.status;
  if (status === undefined) return null;
  const fetching = status.phase === "failed" ? null : describeFetching(status);
  return fetching === null ? <PhaseProgress status={status} /> : <p className="index-progress">{fetching}</p>;
}

function PhaseProgress({ status }: { status: IndexStatus }) {
  switch (status.phase) {
    case "current":
      return null;
    case "following":
      return (
        <p
          className="index-progress"
          title="Another Assay on the same folders updates the index; this one follows and takes over when it ends."
        >
          {status.isComplete ? "Kept up to date by another Assay" : "Another Assay is reading the folders"}
        </p>
      );
    case "failed":
      return (
        <a className="index-progress index-progress-failed" href="#index-failure">
          <Mark status="errored" />
          Index not up to date
        </a>
      );
    case "opening":
    case "finding":
      return status.isComplete ? null : <p className="index-progress">Scanning for jobs</p>;
    case "checking":
      return status.isComplete ? null : (
        <p className="index-progress">Scanning for changes since the last start</p>
      );
    case "reading":
      return <ReadingProgress status={status} />;
  }
}

function describeFetching({ nFilesListed, nFilesFetched, nFilesToFetch }: IndexStatus): string | null {
  if (nFilesToFetch > 0)
    return `Fetching ${formatCount(nFilesFetched)} of ${formatPlural(nFilesToFetch, "file")}`;
  return nFilesListed > 0 ? `Listing the bucket: ${formatPlural(nFilesListed, "file")} so far` : null;
}

function ReadingProgress({ status }: { status: IndexStatus }) {
  const { nTrialsRead, nTrialsToRead, rate, secondsLeft, isComplete } = status;
  if (isComplete && nTrialsToRead < FEW_TRIALS) return null;
  const isPaced = rate !== null && secondsLeft !== null;
  return (
    <p className="index-progress">
      {nTrialsToRead > 0 ? <progress value={nTrialsRead} max={nTrialsToRead} aria-hidden="true" /> : null}
      <span>
        {nTrialsToRead > nTrialsRead
          ? `Reading: ${formatCount(nTrialsToRead - nTrialsRead)} of ${formatPlural(nTrialsToRead, "trial")} left`
          : "Writing what was read"}
      </span>
      {isPaced ? (
        <span className="index-pace">
          · {formatCount(rate)}/s · {formatDuration(secondsLeft * 1000)} left
        </span>
      ) : null}
    </p>
  );
}
