import type { JobRecord } from "@/lib/domain/job";
import type { Figure, RecomputedGroup } from "@/lib/domain/verification";
import { deriveOutcome, deriveOutcomeFromStats } from "@/lib/scoring";
import type { Outcome, Summation } from "@/lib/scoring";

import { compareNumbers } from "./compare-numbers";
import { buildFigure, type FigureSubject } from "./figure";
import type { JobTrials } from "./job-trials";

/** The outcome of a job as result.json gives it, and as the trials alone do. */
export interface OutcomePair {
  readonly recorded: Outcome;
  readonly recomputed: Outcome;
}

/** Both outcomes. Groups of the trials are taken in recorded order, those that are not recorded last. */
export function deriveOutcomes(
  job: JobRecord,
  groups: readonly RecomputedGroup[],
  counters: ReadonlyMap<string, bigint>,
  summation: Summation,
): OutcomePair {
  const stats = {
    nTotalTrials: counters.get("n_total_trials") ?? 0n,
    nCompletedTrials: counters.get("n_completed_trials") ?? 0n,
    nErroredTrials: counters.get("n_errored_trials") ?? 0n,
    metrics: groups.flatMap((group) => group.metrics.flatMap((metric) => metric.value ?? [])),
  };
  return {
    recorded: deriveOutcome(job.resultBytes, summation),
    recomputed: deriveOutcomeFromStats(stats, summation),
  };
}

/** The outcome line as a figure; none for trials without a job. */
export function verifyOutcome(
  job: JobRecord,
  trials: JobTrials,
  { recorded, recomputed }: OutcomePair,
  incomplete: string | null,
  hasScripts: boolean,
): Figure[] {
  if (job.kind === "loose") return [];
  const trialKeys = trials.finished.map((trial) => trial.key);
  const subject: FigureSubject = { kind: "outcome", path: "outcome", group: null, trialKeys };
  const values = { recorded: recorded.line, recomputed: recomputed.line };
  if (recorded.reasonCode !== null) {
    const what =
      recorded.reasonCode === "harbor_result_missing"
        ? "There is no result.json"
        : "result.json is malformed";
    return [
      buildFigure(
        subject,
        "not-recorded",
        { recomputed: recomputed.line },
        `${what}, so it gives no outcome.`,
      ),
    ];
  }
  if (recorded.line === recomputed.line) return [buildFigure(subject, "exact", values, null)];
  const reason = hasScripts
    ? "The score comes from a script of the dataset, which is never run here."
    : incomplete;
  if (reason !== null) return [buildFigure(subject, "unverifiable", values, reason)];
  if (isOlderSpelling(job, recorded, recomputed)) {
    const why =
      "An older Harbor named the error count otherwise, so the outcome line does not see the errored trials.";
    return [buildFigure(subject, "not-recorded", values, why)];
  }
  const { verdict, ulps } = compareNumbers(recorded.score, recomputed.score);
  if (verdict === "ulp" && agreesButScore(recorded, recomputed)) {
    return [buildFigure(subject, "ulp", values, "The score is equal up to rounding.", ulps)];
  }
  return [buildFigure(subject, "mismatch", values, explainDifference(recorded, recomputed))];
}

function agreesButScore(a: Outcome, b: Outcome): boolean {
  return a.status === b.status && a.resolved === b.resolved && a.total === b.total;
}

/** Older files spell the counters `n_trials` and `n_errors`, which the outcome's reader takes for 0. */
function isOlderSpelling(job: JobRecord, recorded: Outcome, recomputed: Outcome): boolean {
  const nErrored = job.recorded?.counters.get("n_errored_trials") ?? 0n;
  const isStatusAlone = agreesButScore({ ...recorded, status: recomputed.status }, recomputed);
  return (
    nErrored > 0n &&
    recorded.status === "completed" &&
    isStatusAlone &&
    Object.is(recorded.score, recomputed.score)
  );
}

function explainDifference(recorded: Outcome, recomputed: Outcome): string {
  const differing = (["status", "score", "resolved", "total"] as const).filter(
    (field) => !Object.is(recorded[field], recomputed[field]),
  );
  return `The trials here give another ${differing.join(", ")}.`;
}
