import type { SourceJob, WantedTasks } from "@/lib/domain/lineage";
import type { JobConfigFile } from "@/lib/schema/job-files";

import { splitRecordedPath } from "./source-trial";

/** The jobs that a config names as sources, in its order; none without a config. */
export function prepareSourceJobs(config: JobConfigFile | null): readonly SourceJob[] {
  return (config?.source_jobs ?? []).map(({ action, job_id: id, path }) => ({
    action,
    id: id ?? null,
    name: splitRecordedPath(path).at(-1) ?? null,
  }));
}

/** What the config of a diff job asks for; null for any other job. Harbor runs its oracle when no agent is listed. */
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
