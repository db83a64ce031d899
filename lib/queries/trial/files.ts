import "server-only";

import type { Parsed } from "@/lib/domain/load-issue";
import { openRawFile, type RawFile } from "@/lib/loader/detail";
import { type FilesPanel, type FilesRequest, readApart } from "@/lib/trial-reading";

import { locateTrial, placeTrial } from "./locate";

/**
 * Files of a trial with one of them open.
 *
 * @throws NotFoundError when no open folder holds the trial
 * @throws ReadingError when its files cannot be read as a whole
 */
export async function getFilesPanel(
  jobKey: string,
  trialKey: string,
  request: FilesRequest,
): Promise<FilesPanel> {
  const located = await locateTrial(jobKey, trialKey);
  return readApart("files", located.path ?? "", placeTrial(located), request);
}

/**
 * A file of a trial as bytes, for download.
 *
 * @throws NotFoundError when no open folder holds the trial
 * @throws ReadingError when a ledger's record cannot be read
 */
export async function openTrialFile(
  jobKey: string,
  trialKey: string,
  file: string,
): Promise<Parsed<RawFile>> {
  const { path, root, trial } = await locateTrial(jobKey, trialKey);
  if (trial.ledger !== null) {
    const issue = await readApart("ledger-file", path ?? "", root, trial, file);
    return issue === null ? await openRawFile(root.path, file) : { ok: false, issue };
  }
  if (path !== null) return await openRawFile(path, file);
  return {
    ok: false,
    issue: { code: "trial_folder_missing", path: file, detail: "This trial has no folder." },
  };
}
