import { JOB_DOCUMENTS, type JobKind, type JobRecord } from "@/lib/core/domain/job";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { PyValue } from "@/lib/core/scoring";
import { parseClockTime } from "@/lib/read/schema/clock-time";
import { parseDownloadManifest } from "@/lib/read/schema/download-manifest";
import {
  type JobConfigFile,
  type JobLockFile,
  parseJobConfig,
  parseJobLock,
  parseJobResult,
  readMaxRetries,
} from "@/lib/read/schema/job-files";
import { recogniseHarborDocument } from "@/lib/read/schema/recognise";

import { FILE_LIMITS } from "../file-access";
import { stampFile } from "../file-stamp";
import { FolderReader } from "../folder-reader";
import { readJobLog } from "../harbor/read-job-log";
import { leaveLargeFile } from "../large-files";
import { stampLedgerFiles } from "../ledger/ledger-folder";
import { readDocument } from "../read-document";
import { stampDatabase } from "../served/data-folder";
import { joinFolder, type LoadRoot } from "./load-root";

export interface JobFiles extends Pick<
  JobRecord,
  "time" | "updatedAt" | "resultBytes" | "recorded" | "lostResult" | "log" | "rebuilt"
> {
  readonly id: string | null;
  readonly embeddedTrials: readonly PyValue[];
  /** mtime of result.json in milliseconds since 1970-01-01; 0 if absent. */
  readonly writtenAtMs: number;
  readonly config: JobConfigFile | null;
  readonly lock: JobLockFile | null;
  readonly issues: readonly LoadIssue[];
}

export const NO_JOB_FILES: JobFiles = {
  id: null,
  time: { startedAt: null, finishedAt: null },
  updatedAt: null,
  resultBytes: null,
  recorded: null,
  lostResult: null,
  embeddedTrials: [],
  writtenAtMs: 0,
  config: null,
  lock: null,
  log: null,
  rebuilt: null,
  issues: [],
};

export function readJobFiles(root: LoadRoot, folder: string): JobFiles {
  const reader = new FolderReader(root, folder);
  const config = reader.readFields("config.json", FILE_LIMITS.config, parseJobConfig);
  const lock = reader.readFields("lock.json", FILE_LIMITS.lock, parseJobLock);
  const manifest = reader.readDocument("download_manifest.json", FILE_LIMITS.lock);
  const result = readResult(reader);
  const log = readJobLog(root, folder, result.recorded, config && readMaxRetries(config));
  const rebuilt = manifest === null ? null : parseDownloadManifest(manifest);
  // Slowness from here on is not caused by a file.
  leaveLargeFile();
  return { ...result, config, lock, log, rebuilt, issues: reader.issues };
}

function readResult(reader: FolderReader): JobFiles {
  const reading = readDocument(reader.root, reader.locate("result.json"), FILE_LIMITS.result);
  const document = reader.accept("result.json", reading);
  if (reading.kind === "absent") {
    const detail =
      "The job has no result.json, so there are no recorded figures to compare with. Its trials are shown.";
    reader.report("job_without_result", "", detail);
    return NO_JOB_FILES;
  }
  const lostResult = "result.json cannot be read, so the figures in it cannot be checked.";
  const { bytes, mtimeMs: writtenAtMs } = reading;
  // Copy, because small buffers keep their shared slab alive.
  const resultBytes = bytes && new Uint8Array(bytes);
  if (document === null) return { ...NO_JOB_FILES, resultBytes, writtenAtMs, lostResult };
  if (!(document.value instanceof Map) || recogniseHarborDocument(document.value) !== "job-result") {
    const detail = "The file is not a job result that Harbor wrote; the trials below it are read without it.";
    reader.report("result_foreign", "result.json", detail);
    return { ...NO_JOB_FILES, resultBytes, lostResult };
  }
  const { head, recorded, trialResults, problems } = parseJobResult(document.value);
  reader.take("result.json", { value: null, problems });
  return {
    ...NO_JOB_FILES,
    id: head.id ?? null,
    time: { startedAt: parseClockTime(head.started_at), finishedAt: parseClockTime(head.finished_at) },
    updatedAt: parseClockTime(head.updated_at),
    resultBytes,
    recorded,
    embeddedTrials: trialResults,
    writtenAtMs,
  };
}

export function stampSharedFiles(root: LoadRoot, kind: JobKind, folder: string): string {
  if (kind === "ledger") return stampLedgerFiles(root, folder);
  if (kind === "served") return stampDatabase(root, folder);
  return kind === "loose"
    ? ""
    : JOB_DOCUMENTS.map((name) => stampFile(root, joinFolder(folder, name))).join("|");
}
