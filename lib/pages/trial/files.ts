import "server-only";
import { NotFoundError } from "@/lib/core/domain/app-error";
import type { Parsed } from "@/lib/core/domain/load-issue";
import { bringFiles } from "@/lib/read/buckets";
import {
  ATTEMPT_NAME,
  openRawFile,
  placeAttempt,
  type RangeRequest,
  type RawFile,
  resolveFolder,
} from "@/lib/read/loader/detail";
import {
  type FilesRequest,
  type FindRequest,
  readApart,
  type StepImageRequest,
  type TrialPlace,
} from "@/lib/read/trial-reading";

import { requireTrial } from "./locate";

export type { RangeRequest, RawFile, StepImageRequest };

interface FilesOf {
  readonly jobKey: string;
  readonly trialKey: string;
  /** Name of the attempt's folder; null for the trial itself. */
  readonly attempt: string | null;
}

/** @throws NotFoundError */
async function requirePlace({ jobKey, trialKey, attempt }: FilesOf): Promise<TrialPlace> {
  const { place, trial } = await requireTrial(jobKey, trialKey);
  if (attempt === null) return place;
  const isKnown = place.ledger === null && place.path !== null && ATTEMPT_NAME.test(attempt);
  const path = isKnown ? resolveFolder(place.root.path, placeAttempt(trial.folder, attempt)) : null;
  if (path === null) throw new NotFoundError("This earlier attempt does not exist.");
  return { ...place, path };
}

/** Lists attempts before the last, oldest first. @throws NotFoundError, ReadingError */
export async function getEarlierAttempts(jobKey: string, trialKey: string) {
  const { path, ledger } = (await requireTrial(jobKey, trialKey)).place;
  return path === null || ledger !== null ? [] : readApart("earlier-attempts", path, path);
}

/** @throws NotFoundError, ReadingError */
export async function getFilesPanel(of: FilesOf, request: FilesRequest) {
  const place = await requirePlace(of);
  return readApart("files", place.path ?? "", place, request);
}

/** @throws NotFoundError, ReadingError */
export async function getFileList(of: FilesOf) {
  const place = await requirePlace(of);
  return readApart("file-list", place.path ?? "", place);
}

/** @throws NotFoundError, ReadingError */
export async function getFoundInFiles(of: FilesOf, request: FindRequest) {
  const place = await requirePlace(of);
  return readApart("find-in-files", place.path ?? "", place, request);
}

/** Returns the type and base64 of an image embedded in a step. @throws NotFoundError, ReadingError */
export async function getStepImage(of: FilesOf, request: StepImageRequest) {
  const place = await requirePlace(of);
  const image = await readApart("step-image", place.path ?? "", place, request);
  const [type, base64] = image?.split(" ") ?? [];
  return type === undefined || base64 === undefined ? null : ([type, base64] as const);
}

/** Opens a file, or a range of its bytes. @throws NotFoundError, ReadingError of a ledger's record */
export async function openTrialFile(
  of: FilesOf,
  file: string,
  asked: RangeRequest,
): Promise<Parsed<RawFile>> {
  const { path, root, ledger } = await requirePlace(of);
  if (ledger !== null) {
    const issue = await readApart("ledger-file", path ?? "", root, ledger, file);
    return issue === null ? await openRawFile(root.path, file, asked) : { ok: false, issue };
  }
  if (path !== null) {
    await bringFiles(path);
    return await openRawFile(path, file, asked);
  }
  return {
    ok: false,
    issue: { code: "trial_folder_missing", path: file, detail: "This trial has no folder." },
  };
}
