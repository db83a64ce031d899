import type { LogPlace } from "@/lib/core/domain/verifier-check";

import { listVerifierFolders } from "../detail/details-file";
import { joinFolder, type LoadRoot } from "../discover/load-root";
import { stampFile } from "../file-stamp";
import { listLogs, useLogTail } from "./log-tail";
import { findCancelledVerifier } from "./trial-log";
import { type LogEnd, readLogEnd } from "./verifier-crash";

interface Log extends LogEnd {
  readonly place: LogPlace | null;
}

/**
 * Finds where a log shows that the verifier did not finish: cancelled in `trial.log`, or crashed in its own log. Null
 * otherwise, or if tests are known to have failed. Reads the last 256 KiB of `trial.log` and of each verifier's first 16
 * `*.txt` and `*.log` files. Use it for trials without a reward or with 0: many scripts write 0 on any exit.
 */
export function findVerifierCrash(root: LoadRoot, folder: string, steps: readonly string[]): LogPlace | null {
  const cancelled = findCancelledVerifier(root, folder);
  if (cancelled !== null) return cancelled.place;
  for (const { folder: verifier } of listVerifierFolders(steps)) {
    const place = findCrashIn(root, folder, verifier);
    if (place !== null) return place;
  }
  return null;
}

function findCrashIn(root: LoadRoot, folder: string, verifier: string): LogPlace | null {
  const logs = listLogs(root, joinFolder(folder, verifier)).map((name) =>
    readLog(root, folder, `${verifier}/${name}`),
  );
  const crash = logs.find(({ place }) => place !== null);
  if (crash === undefined || logs.some(({ saysFailure }) => saysFailure)) return null;
  // Written when a test run ends. Passed tests do not explain a 0; unknown ones may.
  const hasReport = stampFile(root, joinFolder(folder, `${verifier}/ctrf.json`)) !== "";
  return hasReport && !logs.some(({ saysSummary }) => saysSummary) ? null : crash.place;
}

function readLog(root: LoadRoot, folder: string, file: string): Log {
  const read = useLogTail(root, joinFolder(folder, file), ({ lines, countBefore }): Log => {
    const end = readLogEnd(lines);
    if (end.traceback === null) return { ...end, place: null };
    const before = countBefore();
    return { ...end, place: { file, line: before === null ? null : before + end.traceback + 1 } };
  });
  return read ?? { ...readLogEnd([]), place: null };
}
