import { isSince, parseVersion } from "@/lib/core/domain/harbor-era";
import { COUNTER_NAMES, type JobRecord, type RecordedStats } from "@/lib/core/domain/job";
import type { Figure } from "@/lib/core/domain/verification";
import type { PyNumber } from "@/lib/core/scoring";

import { buildFigure, type FigureSubject } from "./figure";

/** Figures that a Harbor version records for every finished job, in addition to each group's counters, metrics and lists. */
interface ExpectedFigures {
  readonly counters: ReadonlySet<string>;
  readonly hasTotals: boolean;
  readonly hasPassAtK: boolean;
}

const OLDEST_COUNTERS = new Set(["n_total_trials", "n_completed_trials", "n_errored_trials"]);

const OLDEST: ExpectedFigures = { counters: OLDEST_COUNTERS, hasTotals: false, hasPassAtK: false };
const WITH_PASS_AT_K: ExpectedFigures = { ...OLDEST, hasPassAtK: true };
const WITH_TOTALS: ExpectedFigures = { ...WITH_PASS_AT_K, hasTotals: true };
const NEWEST: ExpectedFigures = { ...WITH_TOTALS, counters: new Set(["n_total_trials", ...COUNTER_NAMES]) };

/** Changes by Harbor version, newest first; read from result.json of each version in the corpus. */
const CHANGES = [
  [[0, 6, 4], NEWEST],
  [[0, 6, 0], WITH_TOTALS],
  [[0, 4, 0], WITH_PASS_AT_K],
] as const;

/**
 * Returns the figures that the Harbor of a job always records. Null for a job that did not end, and where the Harbor version is
 * unknown: other programs write the same format and omit figures.
 */
export function findExpectedFigures(job: JobRecord): ExpectedFigures | null {
  const { recorded } = job;
  if (job.state !== "finished" || job.kind !== "harbor" || recorded === null) return null;
  if (job.scoringRule === "harbor-0.26" || job.rebuilt !== null) return NEWEST;
  const version = parseVersion(job.harborVersion);
  if (version !== null) return CHANGES.find(([since]) => isSince(version, since))?.[1] ?? OLDEST;
  return recorded.hasOldSpelling ? findOldFigures(recorded) : null;
}

/**
 * Returns the figures that are always recorded while a job runs: since 0.26 each write of result.json has every field, but metrics
 * and pass@k may be empty.
 * @see harbor 0.26.0 src/harbor/job.py, `_write_job_result`
 */
export function findLiveFigures(job: JobRecord): ExpectedFigures | null {
  const isLive = job.scoringRule === "harbor-0.26" && job.kind === "harbor" && job.recorded !== null;
  return isLive ? NEWEST : findExpectedFigures(job);
}

/** Without lock.json the file itself is the evidence: a Harbor that records one figure of a kind records all. */
function findOldFigures({ totals, groups }: RecordedStats): ExpectedFigures {
  if (totals.size > 0) return WITH_TOTALS;
  return groups.some((group) => group.passAtK !== null) ? WITH_PASS_AT_K : OLDEST;
}

/** Returns the mismatch of a figure that its Harbor always records but result.json lacks. */
export function judgeMissing(subject: FigureSubject, recomputed: PyNumber | undefined): Figure {
  const reason =
    "Expected but not recorded: the Harbor version that wrote result.json always records this figure.";
  return buildFigure(subject, "mismatch", { recomputed }, reason);
}
