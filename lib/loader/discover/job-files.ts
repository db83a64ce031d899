import type { ClockInterval, ClockTime } from "@/lib/domain/clock-time";
import type { JobLog, RebuiltJob, RecordedStats } from "@/lib/domain/job";
import { JOB_DOCUMENTS } from "@/lib/domain/job-file";
import type { LoadIssue } from "@/lib/domain/load-issue";
import { parseClockTime } from "@/lib/schema/clock-time";
import { parseDownloadManifest } from "@/lib/schema/download-manifest";
import {
  type JobConfigFile,
  type JobLockFile,
  parseJobConfig,
  parseJobLock,
  parseJobResult,
  readMaxRetries,
} from "@/lib/schema/job-files";
import type { FieldProblem } from "@/lib/schema/lenient-parse";
import { recogniseHarborDocument } from "@/lib/schema/recognise";
import type { PyValue } from "@/lib/scoring";

import { FILE_LIMITS, type FileLimits } from "../file-access";
import { stampFile } from "../file-stamp";
import { joinFolder, type LoadRoot, prepareIssue } from "./load-root";
import { type DocumentReading, readDocument } from "../read-document";
import { readJobLog } from "../harbor/read-job-log";

/** The files at the top of a job's folder. */
export interface JobFiles {
  readonly id: string | null;
  readonly time: ClockInterval;
  readonly updatedAt: ClockTime | null;
  readonly resultBytes: Uint8Array | null;
  readonly recorded: RecordedStats | null;
  readonly embeddedTrials: readonly PyValue[];
  /** When result.json was written, milliseconds since 1970-01-01; 0 without one. */
  readonly writtenAtMs: number;
  readonly config: JobConfigFile | null;
  readonly lock: JobLockFile | null;
  readonly log: JobLog | null;
  readonly rebuilt: RebuiltJob | null;
  readonly issues: readonly LoadIssue[];
}

/** Reads the files at the top of a job's folder; none of them is required. */
export function readJobFiles(root: LoadRoot, folder: string): JobFiles {
  const issues: LoadIssue[] = [];
  const result = readDocument(root, joinFolder(folder, "result.json"), FILE_LIMITS.result);
  const config = readOptional(root, joinFolder(folder, "config.json"), FILE_LIMITS.config, issues);
  const lock = readOptional(root, joinFolder(folder, "lock.json"), FILE_LIMITS.lock, issues);
  const manifest = readOptional(root, joinFolder(folder, "download_manifest.json"), FILE_LIMITS.lock, issues);
  const parsedConfig = config === null ? null : parseJobConfig(config);
  const parsedLock = lock === null ? null : parseJobLock(lock);
  report(root, joinFolder(folder, "config.json"), parsedConfig?.problems, issues);
  report(root, joinFolder(folder, "lock.json"), parsedLock?.problems, issues);
  const read = readResult(root, folder, result, issues);
  const parsed = parsedConfig?.value ?? null;
  return {
    ...read,
    config: parsed,
    lock: parsedLock?.value ?? null,
    log: readJobLog(root, folder, read.recorded, parsed === null ? null : readMaxRetries(parsed)),
    rebuilt: manifest === null ? null : parseDownloadManifest(manifest),
    issues,
  };
}

function readResult(root: LoadRoot, folder: string, reading: DocumentReading, issues: LoadIssue[]) {
  const file = joinFolder(folder, "result.json");
  const nothing = {
    id: null,
    time: { startedAt: null, finishedAt: null },
    updatedAt: null,
    resultBytes: null,
    recorded: null,
    embeddedTrials: [],
    writtenAtMs: 0,
  };
  if (reading.kind === "absent") {
    const detail =
      "The job has no result.json, so there are no recorded figures to compare with. Its trials are shown.";
    issues.push(prepareIssue(root, "job_without_result", folder, detail));
    return nothing;
  }
  // A copy, because small buffers share one slab that would stay alive with them.
  const resultBytes = reading.bytes === null ? null : new Uint8Array(reading.bytes);
  if (reading.kind === "refused") {
    issues.push(reading.issue);
    return { ...nothing, resultBytes, writtenAtMs: reading.mtimeMs };
  }
  if (!(reading.value instanceof Map) || recogniseHarborDocument(reading.value) !== "job-result") {
    const detail = "The file is not a job result that Harbor wrote; the trials below it are read without it.";
    issues.push(prepareIssue(root, "result_foreign", file, detail));
    return { ...nothing, resultBytes };
  }
  const { head, recorded, trialResults, problems } = parseJobResult(reading.value);
  report(root, file, problems, issues);
  return {
    id: head.id ?? null,
    time: { startedAt: parseClockTime(head.started_at), finishedAt: parseClockTime(head.finished_at) },
    updatedAt: parseClockTime(head.updated_at),
    resultBytes,
    recorded,
    embeddedTrials: trialResults,
    writtenAtMs: reading.mtimeMs,
  };
}

function readOptional(root: LoadRoot, file: string, limits: FileLimits, issues: LoadIssue[]): PyValue | null {
  const reading = readDocument(root, file, limits);
  if (reading.kind === "refused") issues.push(reading.issue);
  return reading.kind === "read" ? reading.value : null;
}

function report(
  root: LoadRoot,
  file: string,
  problems: readonly FieldProblem[] | undefined,
  issues: LoadIssue[],
): void {
  for (const { field, detail } of problems ?? []) {
    issues.push(prepareIssue(root, "field_invalid", file, field === "" ? detail : `${field}: ${detail}`));
  }
}

/** A text that changes whenever one of these files may have changed. */
export function stampJobFiles(root: LoadRoot, folder: string): string {
  return JOB_DOCUMENTS.map((name) => stampFile(root, joinFolder(folder, name))).join("|");
}
