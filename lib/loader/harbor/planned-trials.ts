import type { RecordedStats } from "@/lib/domain/job";
import type { PlannedTrials } from "@/lib/domain/planned-trials";
import type { JobConfigFile } from "@/lib/schema/job-files";

import type { JobFiles } from "../discover/job-files";
import { listRecordedNames } from "../shared-folder";

/**
 * How many trials a job was to have, and which of its files states it; null when none does.
 *
 * lock.json comes first, then result.json, then config.json. Where the lists of result.json name more trials than its
 * `n_total_trials` counts, the names are taken: merged and edited files have such a count. The config states a number only
 * when it lists its tasks one by one and starts from no other job: how many tasks a dataset has stands in no file here.
 *
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
  const nNamed = listRecordedNames(recorded).size;
  const total = Number(recorded?.nTotalTrials ?? -1n);
  if (nNamed > Math.max(total, 0)) return { count: nNamed, source: "names" };
  return total < 0 ? null : { count: total, source: "total" };
}

function countConfigured(config: JobConfigFile | null): PlannedTrials | null {
  const { tasks, agents, datasets, source_jobs: sources, n_attempts: nAttempts } = config ?? {};
  const isListed = (datasets?.length ?? 0) === 0 && (sources?.length ?? 0) === 0;
  // A config without the field runs Harbor's default agent.
  const count = (tasks?.length ?? 0) * (agents?.length ?? 1) * (nAttempts ?? 1);
  return isListed && count > 0 ? { count, source: "config" } : null;
}
