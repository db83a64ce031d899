import type { JobRecord } from "@/lib/core/domain/job";
import type { Figure, HarborRule, RecomputedGroup, Verdict } from "@/lib/core/domain/verification";
import { deriveOutcome, deriveOutcomeFromStats, type Outcome, type Summation } from "@/lib/core/scoring";

import { compareNumbers } from "./compare-numbers";
import type { JobTrials } from "./completeness";
import type { FigureSubject } from "./figure";
import type { NoMetrics } from "./group-figures";

/**
 * Derives the outcome of a job from result.json, and from the trials alone. Groups of the trials are in recorded order, then
 * unrecorded ones.
 */
export function deriveOutcomes(
  job: JobRecord,
  groups: readonly RecomputedGroup[],
  counters: ReadonlyMap<string, bigint>,
  summation: Summation,
) {
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

export interface OutcomeEvidence {
  readonly incomplete: string | null;
  readonly hasScripts: boolean;
  /** The outcome without the groups whose metrics Harbor omitted, and the reason. */
  readonly explained: { readonly outcome: Outcome; readonly noMetrics: readonly NoMetrics[] } | null;
}

/** Compares the two outcome lines as a figure; none for trials without a job and for ledgers. */
export function verifyOutcome(
  job: JobRecord,
  trials: JobTrials,
  { recorded, recomputed }: ReturnType<typeof deriveOutcomes>,
  { incomplete, hasScripts, explained }: OutcomeEvidence,
): Figure[] {
  if (job.kind !== "harbor") return [];
  const trialKeys = trials.finished.map((trial) => trial.key);
  const subject: FigureSubject = { kind: "outcome", path: "outcome", group: null, trialKeys };
  const build = (
    verdict: Verdict,
    reason: string | null,
    { ulps = null, rule = null }: { ulps?: number | null; rule?: HarborRule | null } = {},
  ): Figure => ({
    ...subject,
    recorded: recorded.reasonCode === null ? recorded.line : null,
    recomputed: recomputed.line,
    verdict,
    ulps,
    reason,
    rule,
  });
  const open = explainOpen(job, recorded);
  if (open !== null) return [build(...open)];
  if (recorded.line === recomputed.line) return [build("exact", null)];
  const [noMetrics] = explained?.noMetrics ?? [];
  if (noMetrics !== undefined && explained?.outcome.line === recorded.line) {
    return [build(...judgeNoMetrics(noMetrics))];
  }
  const reason = hasScripts ? SCRIPT_REASON : incomplete;
  if (reason !== null) return [build("incomplete", reason)];
  if (isOlderSpelling(job, recorded, recomputed)) {
    return [build("explained", OLDER_REASON, { rule: "older-names" })];
  }
  const { verdict, ulps } = compareNumbers(recorded.score, recomputed.score);
  if (verdict === "ulp" && agreesButScore(recorded, recomputed)) {
    return [build("ulp", "The score is equal up to rounding.", { ulps })];
  }
  return [build("mismatch", explainDifference(recorded, recomputed))];
}

function judgeNoMetrics({ rule, reason }: NoMetrics) {
  const verdict = rule === null ? "not-recorded" : "explained";
  return [verdict, `The score lacks groups without metrics. ${reason}`, { rule }] as const;
}

const SCRIPT_REASON = "The score comes from a script of the dataset, which is never run here.";
const OLDER_REASON =
  "An older Harbor used another name for the error count, so the outcome line misses the errored trials.";

function explainOpen(job: JobRecord, recorded: Outcome): [Verdict, string] | null {
  if (recorded.reasonCode !== null)
    return job.lostResult === null
      ? ["not-recorded", explainNoOutcome(recorded)]
      : ["incomplete", job.lostResult];
  if (job.recorded?.schemaVersion !== "unreadable") return null;
  return ["unknown-rule", "Unknown rule (schema_version in result.json cannot be read)."];
}

function explainNoOutcome({ reasonCode }: Outcome): string {
  const isMissing = reasonCode === "harbor_result_missing";
  return `${isMissing ? "There is no result.json" : "result.json is malformed"}, so it gives no outcome.`;
}

function agreesButScore(a: Outcome, b: Outcome): boolean {
  return a.status === b.status && a.resolved === b.resolved && a.total === b.total;
}

/** Older files spell the counters `n_trials` and `n_errors`, which the reader of outcomes takes for 0. */
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
  const parts = differing.map(
    (field) => `${field} ${String(recomputed[field])} instead of ${String(recorded[field])}`,
  );
  return `The trials here give ${parts.join(", ")}.`;
}
