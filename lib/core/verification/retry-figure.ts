import type { JobRecord } from "@/lib/core/domain/job";
import type { Figure, HarborRule, Verdict } from "@/lib/core/domain/verification";

import { findLiveFigures, judgeMissing } from "./expected-figures";
import { buildFigure, type Explanation } from "./figure";

interface Judgment {
  readonly verdict: Verdict;
  /** Null when no file has the number. */
  readonly recomputed: bigint | null;
  readonly reason: string | null;
  readonly rule: HarborRule | null;
}

/**
 * Compares `n_retries` of result.json with config.json and job.log. Returns nothing for a 0 without evidence.
 * @param nTrials - lower bound of the job's planned trials
 */
export function verifyRetries(job: JobRecord, nTrials: number): Figure[] {
  const recorded = job.recorded?.counters.get("n_retries");
  const subject = { kind: "counter", path: "stats.n_retries", group: null, trialKeys: [] } as const;
  if (recorded === undefined) {
    const isExpected = findLiveFigures(job)?.counters.has("n_retries") === true;
    return isExpected ? [judgeMissing(subject, job.log === null ? undefined : BigInt(job.log.nRetries))] : [];
  }
  const judgment = judgeByConfig(job, nTrials, recorded) ?? judgeByLog(job, recorded);
  if (judgment === null) return [];
  const { verdict, recomputed, reason, rule } = judgment;
  const values = { recorded, recomputed: recomputed ?? undefined };
  return [{ ...buildFigure(subject, verdict, values, reason), rule }];
}

const EXACT_ZERO: Judgment = { verdict: "exact", recomputed: 0n, reason: null, rule: null };

/** Null where the config allows as many retries as are recorded. */
function judgeByConfig(
  { rebuilt, maxRetries }: JobRecord,
  nTrials: number,
  recorded: bigint,
): Judgment | null {
  if (rebuilt === null && maxRetries === null) return null;
  const most = rebuilt === null ? BigInt(maxRetries ?? 0) * BigInt(nTrials) : 0n;
  if (recorded > most || recorded < 0n) {
    const allowed = rebuilt === null ? `config.json allows at most ${most}` : "a rebuilt job counts none";
    const reason = `result.json counts ${recorded} retries, but ${allowed}.`;
    return { verdict: "mismatch", recomputed: most === 0n ? 0n : null, reason, rule: null };
  }
  return most === 0n ? EXACT_ZERO : null;
}

function judgeByLog({ log, state }: JobRecord, recorded: bigint): Judgment | null {
  if (log === null) {
    if (recorded === 0n) return null;
    const reason =
      "Harbor deletes the folder of a retried attempt. Only a complete job.log would name it, and there is none here.";
    return { verdict: "incomplete", recomputed: null, reason, rule: "retry" };
  }
  const recomputed = BigInt(log.nRetries);
  if (recomputed === recorded) {
    if (recorded === 0n) return EXACT_ZERO;
    const reason = "job.log has a line for each; Harbor deleted the folders of these attempts.";
    return { verdict: "explained", recomputed, reason, rule: "retry" };
  }
  const counts = `result.json counts ${recorded} retries, job.log has lines for ${recomputed}`;
  if (state === "finished") return { verdict: "mismatch", recomputed, reason: `${counts}.`, rule: null };
  const reason = `${counts}; the job did not end, and a retry counts when it starts.`;
  return { verdict: "incomplete", recomputed, reason, rule: "retry" };
}

/**
 * Returns the counters that Harbor wrote when it rebuilt a job from trial archives; empty for other jobs.
 * @see harbor 0.24.0 src/harbor/download/downloader.py, `_build_job_stats`
 */
export function countRebuilt(
  { rebuilt }: JobRecord,
  counters: ReadonlyMap<string, bigint>,
): Map<string, bigint> {
  if (rebuilt === null) return new Map();
  const nUnknown = Math.max(rebuilt.nPlanned - rebuilt.nRows, 0);
  const read = (name: string) => counters.get(name) ?? 0n;
  return new Map([
    ["n_total_trials", BigInt(rebuilt.nPlanned)],
    ["n_completed_trials", read("n_completed_trials")],
    ["n_errored_trials", read("n_errored_trials") + BigInt(rebuilt.nMissingFailed)],
    ["n_running_trials", BigInt(rebuilt.nRunning)],
    ["n_pending_trials", BigInt(rebuilt.nPending + nUnknown)],
    ["n_cancelled_trials", read("n_cancelled_trials") + BigInt(rebuilt.nMissingCanceled)],
  ]);
}

export function explainRebuilt({ rebuilt }: JobRecord, value: bigint | undefined): Explanation | null {
  if (rebuilt === null || value === undefined) return null;
  const reason = `Harbor rebuilt this job from trial archives. It also counted what its Hub records about the ${rebuilt.nMissing} trials whose archive is missing (download_manifest.json).`;
  return { rule: "rebuilt-job", value, reason };
}
