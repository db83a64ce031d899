import { formatCount, formatPlural } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import type { IndexStatus } from "@/lib/indexer";

import "./index-state.css";

/** What was there at the start is followed by changes; this many trials are read before a line about it could be. */
const FEW_TRIALS = 500;

/**
 * How far reading the folders has come, as one line with a bar. Nothing once the index is complete. Readers of screens
 * hear of the beginning and the end from `live-updates.tsx`, and not of every step.
 */
export function IndexProgress({ status }: { status: IndexStatus }) {
  const words = describeProgress(status);
  if (words === null) return null;
  const { nTrialsRead, nTrialsToRead } = status;
  const isCounted = status.phase === "reading" && nTrialsToRead > 0;
  return (
    <p className="index-progress">
      {isCounted ? <progress value={nTrialsRead} max={nTrialsToRead} aria-hidden="true" /> : null}
      <span>{words}</span>
    </p>
  );
}

/** The progress in words; null when there is none worth a line. */
function describeProgress(status: IndexStatus): string | null {
  const { phase, nTrialsRead, nTrialsToRead, rate, secondsLeft, isComplete } = status;
  if (isComplete && nTrialsToRead < FEW_TRIALS) return null;
  switch (phase) {
    case "current":
    case "following":
    case "failed":
      return null;
    case "opening":
    case "finding":
      return isComplete ? null : "Looking for jobs";
    case "checking":
      return isComplete ? null : "Looking for what changed since the last start";
    case "reading": {
      const done = `Reading: ${formatCount(nTrialsRead)} of ${formatPlural(nTrialsToRead, "trial")}`;
      if (rate === null || secondsLeft === null) return done;
      return `${done}, ${formatCount(rate)} a second, ${formatDuration(secondsLeft * 1000)} left`;
    }
  }
}
