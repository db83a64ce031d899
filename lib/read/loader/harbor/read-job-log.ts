import type { JobLog, RecordedStats } from "@/lib/core/domain/job";

import { joinFolder, type LoadRoot } from "../discover/load-root";
import { openForReading, readChunks } from "../file-access";

const MAX_LOG_BYTES = 64 << 20;
const MAX_LINE_BYTES = 1000;
const NEWLINE = 10;

const RETRIED = /^Trial \S+ failed with exception \S+\. Retrying in [\d.]+ seconds\.\.\.$/;
const CANCELLED = /^Trial (\S+) cancelled$/;

/**
 * Reads retried attempts and cancelled trials, which only job.log records. Null if neither counters nor config mention any,
 * or without a complete log of at most 64 MiB.
 * @see harbor 0.24.0 src/harbor/trial/queue.py, `_execute_trial_with_retries`, and src/harbor/trial/trial.py, `run`
 */
export function readJobLog(
  root: LoadRoot,
  folder: string,
  recorded: RecordedStats | null,
  maxRetries: number | null,
): JobLog | null {
  const isStated = (["n_retries", "n_cancelled_trials"] as const).some(
    (name) => (recorded?.counters.get(name) ?? 0n) > 0n,
  );
  const mayRetry = recorded?.counters.has("n_retries") === true && (maxRetries ?? 0) > 0;
  if (!isStated && !mayRetry) return null;
  return openForReading(root, joinFolder(folder, "job.log"), (file) =>
    file.size > MAX_LOG_BYTES ? null : parseLog(readChunks(file, 0, file.size)),
  );
}

function parseLog(chunks: Iterable<Buffer>): JobLog | null {
  let nRetries = 0;
  const cancelled = new Set<string>();
  const lines = splitLines(chunks);
  for (let next = lines.next(); ; next = lines.next()) {
    if (next.done === true) return next.value ? { nRetries, cancelled } : null;
    if (RETRIED.test(next.value)) nRetries++;
    const name = CANCELLED.exec(next.value)?.[1];
    if (name !== undefined) cancelled.add(name);
  }
}

function* splitLines(chunks: Iterable<Buffer>): Generator<string, boolean> {
  let start: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  for (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      if (!isTooLong && start.length + at - from <= MAX_LINE_BYTES)
        yield decodeLine(start, chunk.subarray(from, at));
      start = Buffer.alloc(0);
      isTooLong = false;
      from = at + 1;
    }
    isTooLong ||= start.length + chunk.length - from > MAX_LINE_BYTES;
    // Copy, because the chunk buffer is reused.
    start = isTooLong ? Buffer.alloc(0) : Buffer.concat([start, chunk.subarray(from)]);
  }
  return !isTooLong && start.length === 0;
}

function decodeLine(start: Buffer, end: Buffer): string {
  return Buffer.concat([start, end]).toString("utf8").replace(/\r$/, "");
}
