import type { JobRecord, RecordedGroup } from "@/lib/core/domain/job";
import { countsUnder, type Trial } from "@/lib/core/domain/trial";
import { listExceptions } from "@/lib/core/domain/trial-failure";
import type { Figure } from "@/lib/core/domain/verification";
import { listNames } from "@/lib/core/format/list-names";
import type { EvalsStats, JobStats, PyValue, ScoringRule } from "@/lib/core/scoring";

import { formatPython } from "./compare-numbers";
import { countTrials, type JobTrials } from "./completeness";
import { findLiveFigures, judgeMissing } from "./expected-figures";
import { type Explanation, judgeNumber, makeSubject } from "./figure";
import { countRebuilt, explainRebuilt } from "./retry-figure";

/**
 * Computes the counters that Harbor would write for the trials here, `n_total_trials` first. The total is the length of the plan,
 * else the number of trials of a finished job, else the value in result.json. Trials carry no information about `n_retries`, see
 * `verifyRetries`.
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

/** Verifies the counters of the whole job in result.json, and those that its Harbor always writes. */
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
  const rebuilt = countRebuilt(job, counters);
  const expected = findLiveFigures(job)?.counters;
  return [...counters].flatMap(([name, recomputed]) => {
    const recorded = stated.get(name);
    const path = name === "n_total_trials" ? name : `stats.${name}`;
    const counted = selectCounted(name, trials, job.scoringRule);
    const subject = makeSubject("counter", path, null, counted);
    if (recorded === undefined) {
      if (name === "n_total_trials" && job.recorded?.nTotalTrials !== null) return [];
      return expected?.has(name) === true ? [judgeMissing(subject, rebuilt.get(name) ?? recomputed)] : [];
    }
    const isCancelled = name === "n_cancelled_trials";
    const evidence = {
      incomplete:
        explainLive(job, name, incomplete) ??
        (isCancelled && mayBeCancelled(job, trials, recorded, recomputed) ? NO_LOG : null),
      mismatchReason: explainCounter(name, recorded, recomputed, counted),
      explanation:
        explainRebuilt(job, rebuilt.get(name)) ??
        (isCancelled ? explainCancelled(job, trials, counted) : null),
    };
    return [judgeNumber(subject, recorded, recomputed, evidence)];
  });
}

function mayBeCancelled(
  job: JobRecord,
  { finished }: JobTrials,
  recorded: bigint,
  recomputed: bigint,
): boolean {
  return job.log === null && recorded > recomputed && recorded <= BigInt(finished.length);
}

const NO_LOG =
  "Harbor also counts a trial that it tried to cancel but that ended another way. Only job.log names those, and it is not here.";

function selectCounted(name: string, { own, finished }: JobTrials, rule: ScoringRule): readonly Trial[] {
  const typesOf = (trial: Trial) => selectExceptions(trial, rule).map(({ type }) => type);
  if (name === "n_completed_trials") return finished;
  if (name === "n_errored_trials") return finished.filter((trial) => typesOf(trial).length > 0);
  if (name === "n_cancelled_trials")
    return finished.filter((trial) => typesOf(trial).includes("CancelledError"));
  if (name === "n_running_trials") return own.filter((trial) => trial.state === "running");
  return name === "n_pending_trials" ? own.filter((trial) => trial.state === "missing") : own;
}

/** Up to 0.25 Harbor counts only the exception of the trial itself. */
function selectExceptions(trial: Trial, rule: ScoringRule) {
  return listExceptions(rule === "harbor-0.25" ? { exception: trial.exception, steps: null } : trial);
}

/** Running and pending trials of a job that did not end cannot be counted. */
function explainLive(job: JobRecord, name: string, incomplete: string | null): string | null {
  const isLive = name === "n_running_trials" || name === "n_pending_trials";
  if (!isLive || job.state === "finished") return incomplete;
  return incomplete ?? "The job did not end, and running or waiting trials left no result to count.";
}

/** Trials that Harbor tried to cancel, by job.log, count as cancelled in any final state. */
function explainCancelled(
  { log }: JobRecord,
  { finished }: JobTrials,
  counted: readonly Trial[],
): Explanation | null {
  if (log === null) return null;
  const others = finished.filter((trial) => log.cancelled.has(trial.trialName) && !counted.includes(trial));
  return {
    rule: "cancellation",
    trialKeys: [...counted, ...others].map((trial) => trial.key),
    value: BigInt(counted.length + others.length),
    reason: `According to job.log, Harbor tried to cancel ${countTrials(others.length)} more, which ended another way: ${listNames(others.map((trial) => trial.trialName))}.`,
  };
}

function nameFew(trials: readonly Trial[]): string {
  if (trials.length === 0 || trials.length >= 20) return "";
  return `: ${listNames(trials.map((trial) => trial.trialName))}`;
}

const COUNTED_WORDS: Readonly<Record<string, string>> = {
  n_completed_trials: "with a result",
  n_errored_trials: "with an exception",
  n_cancelled_trials: "that ended with CancelledError",
  n_running_trials: "still running",
  n_pending_trials: "without a result",
};

function explainCounter(
  name: string,
  recorded: bigint,
  recomputed: bigint,
  counted: readonly Trial[],
): string {
  const off =
    recorded > recomputed ? `${recorded - recomputed} too many` : `${recomputed - recorded} too few`;
  const words = COUNTED_WORDS[name];
  const found = words === undefined ? countTrials(recomputed) : `${countTrials(recomputed)} ${words}`;
  const names = words === undefined ? "" : nameFew(counted);
  return `result.json counts ${recorded}, ${off}: here ${recomputed === 1n ? "is" : "are"} ${found}${names}.`;
}

/** Verifies `n_trials` (trials with rewards, since 0.26 valid ones) and `n_errors` of one group. */
export function verifyGroupCounters(
  rule: ScoringRule,
  recorded: RecordedGroup,
  stats: EvalsStats | null,
  members: readonly Trial[],
  incomplete: string | null,
  isExpected: boolean,
): Figure[] {
  const scored = members.filter((trial) => trial.rewards !== null && countsUnder(trial, rule));
  const errored = members.filter((trial) => selectExceptions(trial, rule).length > 0);
  const rows: readonly (readonly [string, PyValue, number, readonly Trial[]])[] = [
    ["n_trials", recorded.nTrials, stats?.nTrials ?? 0, scored],
    ["n_errors", recorded.nErrors, stats?.nErrors ?? 0, errored],
  ];
  return rows.flatMap(([name, stated, count, counted]) => {
    if (stated === null && !isExpected) return [];
    const path = `stats.evals.${recorded.key}.${name}`;
    const what =
      name === "n_trials" ? `have a ${rule === "harbor-0.25" ? "" : "valid "}reward` : "have an exception";
    const mismatchReason = `result.json counts ${formatPython(stated) ?? "none"}; of the ${countTrials(members.length)} of this group here, ${count} ${what}${nameFew(counted)}.`;
    const subject = makeSubject("counter", path, recorded.key, counted);
    if (stated === null) return [judgeMissing(subject, BigInt(count))];
    return [judgeNumber(subject, stated, BigInt(count), { incomplete, mismatchReason })];
  });
}
