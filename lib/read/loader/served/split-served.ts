import { NO_STATS, type RecordedStats } from "@/lib/core/domain/job";
import type { KeptAttempts } from "@/lib/core/domain/lost-part";
import { sumKnown } from "@/lib/core/domain/lost-work";
import { parseClockTime } from "@/lib/read/schema/clock-time";
import { parseJobLock } from "@/lib/read/schema/job-files";

import { type JobFiles, NO_JOB_FILES } from "../discover/job-files";
import { parentFolder } from "../discover/load-root";
import { FILE_LIMITS } from "../file-access";
import type { FolderReader } from "../folder-reader";
import type { TrialReading } from "../harbor/trial-record";
import { locateJobLock, SERVER_ID } from "./data-folder";
import { readServerDatabase, type ServerJob } from "./read-database";

export interface ServedJob {
  readonly name: string;
  readonly files: JobFiles;
  readonly isRecorded: boolean;
  readonly running: RecordedStats;
  readonly readings: readonly TrialReading[];
  readonly earlier: KeptAttempts;
}

export function splitServed(reader: FolderReader, readings: readonly TrialReading[]): ServedJob[] {
  const records = readServerDatabase(reader, new Set(readings.map(readRolloutId)));
  const attempts = readings.map((reading) => {
    const rollout = records?.rollouts.get(readRolloutId(reading));
    return { reading, rollout, jobId: rollout?.jobId ?? reading.record.jobUuid };
  });
  const newest = new Map<string, TrialReading>();
  for (const { reading, jobId } of attempts) {
    const key = JSON.stringify([jobId, reading.record.trialName]);
    const known = newest.get(key);
    if (known === undefined || readStart(reading) > readStart(known)) newest.set(key, reading);
  }
  const newestSet = new Set(newest.values());
  // A queued rollout has only a lock.json, which names no job.
  const placed = attempts.filter(
    ({ jobId, reading }) => jobId !== null || reading.record.state !== "missing",
  );
  const byJob = Map.groupBy(placed, ({ jobId }) => jobId);
  const recorded = new Map<string | null, ServerJob>(records?.jobs.map((job) => [job.id, job]));
  return Array.from(new Set([...recorded.keys(), ...byJob.keys()]), (id) => {
    const isLatest = ({ rollout, reading }: (typeof placed)[number]) =>
      rollout?.isLatest ?? newestSet.has(reading);
    const [latest, earlier] = [true, false].map((wanted) =>
      (byJob.get(id) ?? []).filter((attempt) => isLatest(attempt) === wanted),
    );
    const job = recorded.get(id);
    return {
      name: job?.name ?? id ?? "Unknown job",
      files: readServedFiles(reader, id, job),
      isRecorded: job !== undefined,
      running: { ...NO_STATS, counters: new Map([["n_running_trials", job?.isRunning === true ? 1n : 0n]]) },
      readings: (latest ?? [])
        .filter(({ rollout }) => rollout?.hasBegun !== false)
        .map(({ reading }) => reading),
      earlier: { n: earlier?.length ?? 0, ...sumKnown((earlier ?? []).map(({ reading }) => reading.record)) },
    };
  });
}

function readRolloutId({ record }: TrialReading): string {
  const folder = parentFolder(record.folder);
  return folder.slice(folder.lastIndexOf("/") + 1);
}

/** An attempt without a result is still running, so it is the newest. */
function readStart({ record }: TrialReading): number {
  return record.time.startedAt?.epochMs ?? (record.state === "finished" ? -Infinity : Infinity);
}

function readServedFiles(reader: FolderReader, id: string | null, job: ServerJob | undefined): JobFiles {
  const lock =
    id !== null && SERVER_ID.test(id)
      ? reader.readFields(locateJobLock(reader.root, reader.folder, id), FILE_LIMITS.lock, parseJobLock)
      : null;
  const updatedAt = parseClockTime(job?.updatedAt);
  const time = { startedAt: parseClockTime(job?.startedAt), finishedAt: parseClockTime(job?.finishedAt) };
  const config = job?.config ?? null;
  return { ...NO_JOB_FILES, id, lock, config, time, updatedAt, writtenAtMs: updatedAt?.epochMs ?? 0 };
}
