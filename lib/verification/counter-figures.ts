import type { JobRecord, RecordedGroup } from "@/lib/domain/job";
import type { TrialRecord } from "@/lib/domain/trial";
import type { Figure } from "@/lib/domain/verification";
import type { EvalsStats, JobStats, PyValue } from "@/lib/scoring";

import { countTrials } from "./completeness";
import { judgeNumber } from "./figure";
import type { JobTrials } from "./job-trials";

/**
 * The counters that Harbor would write for the trials here, under its names, `n_total_trials` first.
 *
 * @remarks `n_retries` is not among them: Harbor deletes the folder of a retried attempt, so no file tells.
 *   `n_total_trials` is the length of the plan; without one the number of trials when the job has finished, else what
 *   result.json states.
 */
export function computeCounters(job: JobRecord, trials: JobTrials, stats: JobStats): Map<string, bigint> {
  const nCompleted = BigInt(stats.nCompletedTrials);
  const nRunning = BigInt(trials.own.filter((trial) => trial.state === "running").length);
  const nTotal = computeTotal(job, trials);
  const nPending = nTotal - nCompleted - nRunning;
  return new Map([
    ["n_total_trials", nTotal],
    ["n_completed_trials", nCompleted],
    ["n_errored_trials", BigInt(stats.nErroredTrials)],
    ["n_running_trials", nRunning],
    ["n_pending_trials", nPending > 0n ? nPending : 0n],
    ["n_cancelled_trials", BigInt(stats.nCancelledTrials)],
  ]);
}

function computeTotal(job: JobRecord, trials: JobTrials): bigint {
  const nOwn = BigInt(trials.own.length);
  if (job.plan !== null) return BigInt(job.plan.length);
  return job.state === "finished" ? nOwn : (job.recorded?.nTotalTrials ?? nOwn);
}

/** The counters of the whole job that result.json states; a counter that it does not state gives no figure. */
export function verifyJobCounters(
  job: JobRecord,
  trials: JobTrials,
  counters: ReadonlyMap<string, bigint>,
  incomplete: string | null,
): Figure[] {
  if (job.recorded === null) return [];
  const isTotalKnown = job.plan !== null || job.state === "finished";
  const total = isTotalKnown ? job.recorded.nTotalTrials : null;
  const stated = new Map<string, bigint>(job.recorded.counters);
  if (total !== null) stated.set("n_total_trials", total);
  return [...counters].flatMap(([name, recomputed]) => {
    const recorded = stated.get(name);
    if (recorded === undefined) return [];
    const path = name === "n_total_trials" ? name : `stats.${name}`;
    const trialKeys = selectCounted(name, trials).map((trial) => trial.key);
    const mismatchReason = explainCounter(name, recorded, recomputed, trials.own.length);
    const evidence = {
      incomplete: explainLive(job, name, incomplete),
      mismatchReason,
      ulpReason: mismatchReason,
    };
    return judgeNumber({ kind: "counter", path, group: null, trialKeys }, recorded, recomputed, evidence);
  });
}

function selectCounted(name: string, { own, finished }: JobTrials): readonly TrialRecord[] {
  switch (name) {
    case "n_completed_trials":
      return finished;
    case "n_errored_trials":
      return finished.filter((trial) => trial.exception !== null);
    case "n_cancelled_trials":
      return finished.filter((trial) => trial.exception?.type === "CancelledError");
    case "n_running_trials":
      return own.filter((trial) => trial.state === "running");
    case "n_pending_trials":
      return own.filter((trial) => trial.state === "missing");
    default:
      return own;
  }
}

/** Running and pending trials of a job that did not end leave nothing to count. */
function explainLive(job: JobRecord, name: string, incomplete: string | null): string | null {
  const isLive = name === "n_running_trials" || name === "n_pending_trials";
  if (!isLive || job.state === "finished") return incomplete;
  return (
    incomplete ?? "The job did not end, and trials that were running or waiting leave no result to count."
  );
}

function explainCounter(name: string, recorded: bigint, recomputed: bigint, nTrials: number): string {
  const counts = `result.json counts ${recorded}, the ${countTrials(nTrials)} here give ${recomputed}`;
  if (name !== "n_cancelled_trials" || recorded < recomputed) return `${counts}.`;
  return `${counts}; Harbor also counts a trial that it tried to cancel and that then ended in another way.`;
}

/** `n_trials` (with rewards) and `n_errors` of one group. */
export function verifyGroupCounters(
  recorded: RecordedGroup,
  stats: EvalsStats | null,
  members: readonly TrialRecord[],
  incomplete: string | null,
): Figure[] {
  const scored = members.filter((trial) => trial.rewards !== null);
  const errored = members.filter((trial) => trial.exception !== null);
  const rows: readonly (readonly [string, PyValue, number, readonly TrialRecord[]])[] = [
    ["n_trials", recorded.nTrials, stats?.nTrials ?? 0, scored],
    ["n_errors", recorded.nErrors, stats?.nErrors ?? 0, errored],
  ];
  return rows.flatMap(([name, stated, count, counted]) => {
    if (stated === null) return [];
    const path = `stats.evals.${recorded.key}.${name}`;
    const what = name === "n_trials" ? "with a reward" : "with an exception";
    const mismatchReason = `The ${countTrials(members.length)} of this group here hold ${count} ${what}.`;
    const subject = {
      kind: "counter",
      path,
      group: recorded.key,
      trialKeys: counted.map((trial) => trial.key),
    } as const;
    return judgeNumber(subject, stated, BigInt(count), {
      incomplete,
      mismatchReason,
      ulpReason: mismatchReason,
    });
  });
}
