import type { Micros } from "../clock";
import type { AgentSpec, DatasetSpec, Flavour, JobRecord, TrialRecord } from "../record";
import { lastEnd } from "../schedule";

/** Facts that `finishJob` cannot derive from the trials. */
export interface JobHead {
  readonly id: string;
  readonly name: string;
  readonly flavour: Flavour;
  readonly dataset: DatasetSpec;
  readonly tasks: readonly string[];
  readonly agents: readonly AgentSpec[];
  readonly attempts: number;
  readonly concurrent: number;
  readonly startedAt: Micros;
  readonly offsetMinutes: number;
}

/** A dataset that is a folder on the runner. */
export function localDataset(name: string): DatasetSpec {
  return { name, version: null, gitUrl: null, commit: null };
}

/** A finished job around its trials. */
export function finishJob(head: JobHead, trials: readonly TrialRecord[]): JobRecord {
  const end = lastEnd(trials, head.startedAt) + 318_204;
  return {
    ...head,
    maxRetries: 0,
    updatedAt: end,
    finishedAt: end,
    retries: 0,
    trials,
    summation: "cpython-3.12",
    log: "",
    files: [],
  };
}

/**
 * A job as it stood at `now`: later trials are pending, open ones are running, or abandoned if `alive` is false. An open
 * trial has only a configuration and a log.
 */
export function cutJob(job: JobRecord, now: Micros, alive: boolean): JobRecord {
  const trials = job.trials.map((trial): TrialRecord => {
    if (trial.span.to <= now) return trial;
    if (trial.span.from > now) return { ...trial, state: "pending" };
    const files = trial.files.filter((file) => file.path.startsWith("agent/setup/"));
    return {
      ...trial,
      state: alive ? "running" : "abandoned",
      exception: null,
      files,
      log: trial.log.split("\n").slice(0, 3).join("\n"),
    };
  });
  const events = trials.flatMap((trial) =>
    trial.state === "complete" ? [trial.span.to] : trial.state === "pending" ? [] : [trial.span.from],
  );
  return { ...job, trials, finishedAt: null, updatedAt: Math.max(job.startedAt, ...events) + 1207 };
}
