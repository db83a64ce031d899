import { type JobBundle, type JobRecord, listRecordedNames, type RecordedGroup } from "@/lib/core/domain/job";
import { countsUnder, type Trial } from "@/lib/core/domain/trial";

/** Returns why a difference between a group's figures proves nothing; null when every trial behind them is here. */
export function explainIncompleteGroup(
  job: JobRecord,
  trials: JobTrials,
  recorded: RecordedGroup,
  members: readonly Trial[],
): string | null {
  const nUnread = members.filter((trial) => trial.rewardsProblem !== null).length;
  if (nUnread === 0 && isWhole(job, trials)) return null;
  const names = listRecordedNames([recorded]);
  const missing = [...names].filter((name) => !trials.finishedByName.has(name));
  if (missing.length > 0) return describeMissing(missing, names.size);
  const rule = job.scoringRule;
  const scored = members.filter((trial) => trial.rewards !== null && countsUnder(trial, rule)).length;
  if (recorded.nTrials !== null && recorded.nTrials > BigInt(scored)) {
    return nUnread > 0
      ? `The rewards of ${countTrials(nUnread)} cannot be read from result.json; see the load report.`
      : `result.json counts ${countTrials(recorded.nTrials)} with rewards in this group, but only ${scored} are here.`;
  }
  return explainUnlisted(job, trials) ?? explainUnfinished(job, members, names);
}

export function explainIncompleteJob(job: JobRecord, trials: JobTrials): string | null {
  if (isWhole(job, trials)) return null;
  const names = listRecordedNames(job.recorded?.groups);
  const missing = [...names].filter((name) => !trials.finishedByName.has(name));
  if (missing.length > 0) return describeMissing(missing, names.size);
  return explainUnlisted(job, trials) ?? explainUnfinished(job, trials.finished, names);
}

/** True if all ended trials of a job are here; for a job that Harbor rebuilt, all trials with archives. */
function isWhole({ state, planned, rebuilt }: JobRecord, trials: JobTrials): boolean {
  const nTrials = rebuilt === null ? planned?.count : rebuilt.nRows - rebuilt.nMissing;
  return state === "finished" && nTrials !== undefined && trials.finishedByName.size >= nTrials;
}

function describeMissing(missing: readonly string[], nListed: number): string {
  const first = missing[0] ?? "";
  const example = missing.length === 1 ? first : `${first} and ${missing.length - 1} more`;
  return `${missing.length} of the ${nListed} trials that result.json lists have no readable result here: ${example}.`;
}

/** For trials that result.json counts but does not list, such as those without reward and exception. */
function explainUnlisted(job: JobRecord, trials: JobTrials): string | null {
  const completed = job.recorded?.counters.get("n_completed_trials");
  if (completed === undefined || completed <= BigInt(trials.finishedByName.size)) return null;
  const names = listRecordedNames(job.recorded?.groups);
  const known = new Set([...trials.finished.map((trial) => trial.trialName), ...names]);
  if (completed <= BigInt(known.size)) return null;
  return `result.json counts ${countTrials(completed)}, but only ${trials.finished.length} have a readable result here.`;
}

function explainUnfinished(
  job: JobRecord,
  members: readonly Trial[],
  names: ReadonlySet<string>,
): string | null {
  if (job.state === "running") {
    return "The job is still running, so result.json and the trials were written at different times.";
  }
  if (job.state === "finished") return null;
  const nLater = members.filter((trial) => !names.has(trial.trialName)).length;
  return nLater === 0
    ? null
    : `The job was cut off: result.json was last written before ${countTrials(nLater)} ended.`;
}

export function countTrials(count: number | bigint): string {
  return `${count.toString()} ${BigInt(count) === 1n ? "trial" : "trials"}`;
}

/** The trials of a bundle, split into those behind the job's figures and others. */
export type JobTrials = ReturnType<typeof sortJobTrials>;

/**
 * Selects the trials of a job from a bundle. A trial that names another job and is not in the recorded stats is excluded, unless
 * every trial names another job (a folder merged by hand under a new id).
 */
export function sortJobTrials(bundle: JobBundle) {
  const { job, trials } = bundle;
  const listed = listRecordedNames(job.recorded?.groups);
  const isForeign = (trial: Trial) =>
    job.uuid !== null && trial.jobUuid !== null && trial.jobUuid !== job.uuid && !listed.has(trial.trialName);
  const belongs = trials.filter((trial) => !isForeign(trial));
  const own = belongs.some((trial) => trial.jobUuid !== null) ? belongs : trials;
  const finished = own.filter((trial) => trial.state === "finished");
  const finishedByName = new Map<string, Trial>();
  for (const trial of finished) finishedByName.set(trial.trialName, trial);
  return {
    /** Trials that belong to this job, in directory order. */
    own,
    finished,
    byGroup: Map.groupBy(finished, ({ groupKey }) => groupKey),
    /** `own` by evals group key, including trials without a result, whose group is in the plan or config. */
    ownByGroup: Map.groupBy(own, ({ groupKey }) => groupKey),
    finishedByName,
  };
}
