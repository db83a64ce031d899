import "server-only";

import type { Parsed } from "@/lib/domain/load-issue";
import { openRawFile, type RangeRequest, type RawFile } from "@/lib/loader/detail";
import {
  type FileList,
  type FilesPanel,
  type FilesRequest,
  type FindRequest,
  type FoundInFiles,
  readApart,
} from "@/lib/trial-reading";

import { requireTrial } from "./locate";

export type { RangeRequest };

/** Files of a trial with one of them open. @throws NotFoundError, ReadingError */
export async function getFilesPanel(
  jobKey: string,
  trialKey: string,
  request: FilesRequest,
): Promise<FilesPanel> {
  const { place } = await requireTrial(jobKey, trialKey);
  return readApart("files", place.path ?? "", place, request);
}

/** All files of a trial. @throws NotFoundError, ReadingError */
export async function getFileList(jobKey: string, trialKey: string): Promise<FileList> {
  const { place } = await requireTrial(jobKey, trialKey);
  return readApart("file-list", place.path ?? "", place);
}

/** Where a text or pattern stands in the files of a trial. @throws NotFoundError, ReadingError */
export async function getFoundInFiles(
  jobKey: string,
  trialKey: string,
  request: FindRequest,
): Promise<FoundInFiles> {
  const { place } = await requireTrial(jobKey, trialKey);
  return readApart("find-in-files", place.path ?? "", place, request);
}

/** A file of a trial as bytes, or a range of them. @throws NotFoundError, ReadingError of a ledger's record */
export async function openTrialFile(
  jobKey: string,
  trialKey: string,
  file: string,
  asked: RangeRequest,
): Promise<Parsed<RawFile>> {
  const { path, root, ledger } = (await requireTrial(jobKey, trialKey)).place;
  if (ledger !== null) {
    const issue = await readApart("ledger-file", path ?? "", root, ledger, file);
    return issue === null ? await openRawFile(root.path, file, asked) : { ok: false, issue };
  }
  if (path !== null) return await openRawFile(path, file, asked);
  return {
    ok: false,
    issue: { code: "trial_folder_missing", path: file, detail: "This trial has no folder." },
  };
}
