import { type JobBundle, listRecordedNames } from "@/lib/domain/job";
import type { TrialRecord } from "@/lib/domain/trial";

/** The trials of a bundle sorted into those that are operands of the job's figures and those that are not. */
export interface JobTrials {
  /** Trials that belong to this job, in directory order. */
  readonly own: readonly TrialRecord[];
  /** Those of `own` with a readable result. */
  readonly finished: readonly TrialRecord[];
  /** `finished` by evals group key, groups in first-seen order. */
  readonly byGroup: ReadonlyMap<string, readonly TrialRecord[]>;
  /** `own` by evals group key: also trials without a result, whose group the plan or config tells. */
  readonly ownByGroup: ReadonlyMap<string, readonly TrialRecord[]>;
  readonly finishedByName: ReadonlyMap<string, TrialRecord>;
}

/**
 * Sorts the trials of a bundle. One that names another job and that the recorded stats do not list is left out, unless
 * every trial names another job (a folder merged by hand under a new id).
 */
export function sortJobTrials(bundle: JobBundle): JobTrials {
  const { job, trials } = bundle;
  const listed = listRecordedNames(job.recorded?.groups);
  const isForeign = (trial: TrialRecord) =>
    job.id !== null && trial.jobId !== null && trial.jobId !== job.id && !listed.has(trial.trialName);
  const belongs = trials.filter((trial) => !isForeign(trial));
  const own = belongs.some((trial) => trial.jobId !== null) ? belongs : trials;
  const finished = own.filter((trial) => trial.state === "finished");
  return {
    own,
    finished,
    byGroup: Map.groupBy(finished, ({ groupKey }) => groupKey),
    ownByGroup: Map.groupBy(own, ({ groupKey }) => groupKey),
    finishedByName: new Map(finished.map((trial) => [trial.trialName, trial])),
  };
}
