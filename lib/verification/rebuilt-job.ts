import type { JobRecord } from "@/lib/domain/job";

import type { Explanation } from "./figure";

/**
 * The counters that Harbor wrote when it rebuilt a job from trial archives; empty for a job that was not rebuilt.
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

/** Why a counter of a rebuilt job may differ from its trials; null for a job that was not rebuilt. */
export function explainRebuilt({ rebuilt }: JobRecord, value: bigint | undefined): Explanation | null {
  if (rebuilt === null || value === undefined) return null;
  const reason = `Harbor rebuilt this job from trial archives, and also counted what its Hub knows of the ${rebuilt.nMissing} trials whose archive is missing (download_manifest.json).`;
  return { rule: "rebuilt-job", value, reason };
}
