import type { SourceTrial, TaskVersion, TrialFiles } from "@/lib/core/domain/trial";
import { parseTrialLock, type TaskLockFile } from "@/lib/read/schema/job-files";
import type { TrialConfigFile } from "@/lib/read/schema/trial-files";

import { FILE_LIMITS } from "../file-access";
import type { FolderReader } from "../folder-reader";

/** Splits a recorded path, outermost part first. The path is never opened. */
export function splitRecordedPath(path: string | null | undefined): readonly string[] {
  return path?.split(/[/\\]+/).filter((part) => part !== "") ?? [];
}

export function prepareTaskVersion(task: TaskLockFile): TaskVersion | null {
  if (!task) return null;
  return { version: task.version ?? null, digest: task.digest?.replace(/^sha256:/, "") ?? null };
}

export function prepareSourceTrial(config: TrialConfigFile | null): SourceTrial | null {
  const source = config?.source_trial;
  if (!source) return null;
  const [trialName = null, jobName = null] = splitRecordedPath(source.path).toReversed();
  return {
    id: source.trial_id ?? null,
    jobName,
    trialName,
    isFromHub: source.type === "hub",
    sourceTask: null,
    ownTask: null,
  };
}

export function completeSourceTrial(folder: FolderReader, files: TrialFiles): TrialFiles {
  if (files.sourceTrial === null) return files;
  const lock = folder.readFields("lock.json", FILE_LIMITS.config, parseTrialLock);
  const ownTask = prepareTaskVersion(lock?.task);
  const sourceTask = prepareTaskVersion(lock?.source_trial?.task);
  return { ...files, sourceTrial: { ...files.sourceTrial, ownTask, sourceTask } };
}
