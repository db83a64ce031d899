import {
  type JobPurpose,
  listRecordedNames,
  type PlannedTrials,
  type RecordedStats,
} from "@/lib/core/domain/job";
import type { SourceJob, WantedTasks } from "@/lib/core/domain/lineage";
import type { JobConfigFile } from "@/lib/read/schema/job-files";

import type { JobFiles } from "../discover/job-files";
import { splitRecordedPath } from "./source-trial";
import type { TrialReading } from "./trial-record";

/**
 * Returns how many trials a job planned, by lock.json, else result.json, else config.json; null if none states it. In
 * result.json longer lists of names override `n_total_trials`, as in merged files. A config states it if it lists its tasks
 * and has no source job.
 * @see harbor 0.13.1 src/harbor/job.py, `_init_trial_configs`: one trial for each attempt, task and agent
 */
export function findPlannedTrials(
  files: Pick<JobFiles, "config" | "lock" | "recorded">,
): PlannedTrials | null {
  const nLocked = files.lock?.trials?.length ?? 0;
  if (nLocked > 0) return { count: nLocked, source: "lock" };
  return countRecorded(files.recorded) ?? countConfigured(files.config);
}

function countRecorded(recorded: RecordedStats | null): PlannedTrials | null {
  const nNamed = listRecordedNames(recorded?.groups).size;
  const total = Number(recorded?.nTotalTrials ?? -1n);
  if (nNamed > Math.max(total, 0)) return { count: nNamed, source: "names" };
  return total < 0 ? null : { count: total, source: "total" };
}

function countConfigured(config: JobConfigFile | null): PlannedTrials | null {
  const { tasks, agents, datasets, source_jobs: sources, n_attempts: nAttempts } = config ?? {};
  const isListed = (datasets?.length ?? 0) === 0 && (sources?.length ?? 0) === 0;
  // Without the field, a config runs Harbor's default agent.
  const count = (tasks?.length ?? 0) * (agents?.length ?? 1) * (nAttempts ?? 1);
  return isListed && count > 0 ? { count, source: "config" } : null;
}

export function prepareSourceJobs(config: JobConfigFile | null): readonly SourceJob[] {
  return (config?.source_jobs ?? []).map(({ action, job_id: id, path }) => ({
    action,
    id: id ?? null,
    name: splitRecordedPath(path).at(-1) ?? null,
  }));
}

/** Returns what a diff job's config requests; null for other jobs. Harbor defaults to its oracle agent. */
export function prepareWantedTasks(config: JobConfigFile | null): WantedTasks | null {
  if (config?.source_jobs?.[0]?.action !== "diff") return null;
  const names = (config.tasks ?? []).flatMap(
    ({ name, path }) => name ?? splitRecordedPath(path).at(-1) ?? [],
  );
  return {
    nPerTask: (config.n_attempts ?? 1) * Math.max(1, config.agents?.length ?? 1),
    names,
    hasDataset: (config.datasets ?? []).length > 0,
  };
}

/** Returns attempts per task; null without a config, and for a regrade, which uses its source's. */
export function readAttempts(config: JobFiles["config"]): number | null {
  if (config === null || config.source_jobs?.[0]?.action === "regrade") return null;
  return config.n_attempts ?? 1;
}

/** Task folders made by `harbor analyze` and `harbor check`: `harbor-analyze-x1y2/analyze-<trial>`. */
const WRAPPER = /[/\\]harbor-(analyze|check)-[^/\\]+[/\\](analyze|check)-[^/\\]+$/;

/**
 * Returns `benchmark` unless one Harbor command created every trial's task.
 * @see harbor 0.24.0 src/harbor/analyze/analyzer.py, checker.py
 */
export function findPurpose(readings: readonly TrialReading[]): JobPurpose {
  const first = findCommand(readings[0]);
  if (first === null || !readings.every((reading) => findCommand(reading) === first)) return "benchmark";
  return first === "analyze" ? "analysis" : "check";
}

function findCommand(reading: TrialReading | undefined): string | null {
  const [, command, prefix] = WRAPPER.exec(reading?.record.details.configured?.taskPath ?? "") ?? [];
  return command === prefix ? (command ?? null) : null;
}
