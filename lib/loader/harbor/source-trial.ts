import type { SourceTrial, TaskVersion, TrialRecord } from "@/lib/domain/trial";
import type { LoadIssue } from "@/lib/domain/load-issue";
import { parseTrialLock, type TaskLockFile } from "@/lib/schema/job-files";
import type { TrialConfigFile } from "@/lib/schema/trial-files";

import { FILE_LIMITS } from "../file-access";
import { joinFolder, type LoadRoot, prepareIssue } from "../discover/load-root";
import { readDocument } from "../read-document";
import type { ProbeLog } from "./trial-probes";

const LOCK = "lock.json";

/** The parts of a recorded path that are not empty, outermost first; the path itself is never opened. */
export function splitRecordedPath(path: string | null | undefined): readonly string[] {
  return path?.split(/[/\\]+/).filter((part) => part !== "") ?? [];
}

/** A task's version as a lock states it; null without a lock. */
export function prepareTaskVersion(task: TaskLockFile): TaskVersion | null {
  if (!task) return null;
  return { version: task.version ?? null, digest: task.digest?.replace(/^sha256:/, "") ?? null };
}

/** The source that a trial's config names, without the task versions that its lock states; null for a trial that was run. */
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

/**
 * Adds the versions of both tasks from the lock.json of a regraded trial. Other trials' locks are not read.
 *
 * Reports a lock that cannot be read to `issues`; the versions are unknown then.
 */
export function completeSourceTrial<Trial extends Pick<TrialRecord, "sourceTrial">>(
  root: LoadRoot,
  folder: string,
  trial: Trial,
  issues: LoadIssue[],
  log: ProbeLog,
): Trial {
  if (trial.sourceTrial === null) return trial;
  const file = joinFolder(folder, LOCK);
  const reading = readDocument(root, file, FILE_LIMITS.config);
  log.add(LOCK, reading.stamp, reading.kind === "refused" && reading.isDenied);
  if (reading.kind === "refused") issues.push(reading.issue);
  if (reading.kind !== "read") return trial;
  const { value, problems } = parseTrialLock(reading.value);
  for (const { field, detail } of problems) {
    issues.push(prepareIssue(root, "field_invalid", file, field === "" ? detail : `${field}: ${detail}`));
  }
  const ownTask = prepareTaskVersion(value?.task);
  const sourceTask = prepareTaskVersion(value?.source_trial?.task);
  return { ...trial, sourceTrial: { ...trial.sourceTrial, ownTask, sourceTask } };
}
