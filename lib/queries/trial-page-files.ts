import "server-only";

import type { ArtifactEntry, TrialFileEntry, TrialFileView } from "@/lib/domain/trial-file";
import {
  type FileEnd,
  listTrialFiles,
  openRawFile,
  type RawFile,
  readArtifactManifest,
  readTrialFile,
} from "@/lib/loader/detail";
import type { Parsed } from "@/lib/domain/load-issue";

import { locateTrial } from "./trial-page-locate";

/** Which of a trial's files a tab offers. */
export type FileSelection = "all" | "logs" | "records";

/** A tab that lists files and shows one. */
export interface FilesPanel {
  readonly entries: readonly TrialFileEntry[];
  readonly cutNote: string | null;
  /** The file that is open; null when there is none to open. */
  readonly view: TrialFileView | null;
  readonly end: FileEnd;
  /** What was collected from the environment; null without a manifest, and on the tabs that do not list all files. */
  readonly artifacts: readonly ArtifactEntry[] | null;
}

const RECORD =
  /^(?:result|config|lock|analysis)\.json$|(?:^|\/)(?:details|reward-details|reward)\.json$|(?:^|\/)reward\.txt$|^artifacts\/manifest\.json$/u;
const LOG =
  /^(?:exception\.txt|trial\.log)$|(?:^|\/)verifier\/[^/]+\.(?:txt|log)$|(?:^|\/)agent\/[^/]+\.(?:txt|log)$|(?:^|\/)agent\/(?:setup|command-\d+)\/[^/]+\.txt$/u;
const REWARD_TEXT = /(?:^|\/)reward\.txt$/u;

// What is opened when the address names no file: the first that is there.
const FIRST: Readonly<Record<FileSelection, readonly RegExp[]>> = {
  all: [],
  logs: [/^exception\.txt$/u, /verifier\/test-stdout\.txt$/u, /^trial\.log$/u, LOG],
  records: [/^result\.json$/u, /^config\.json$/u, RECORD],
};

/**
 * Files of a trial with one of them open. A named file is opened whatever the selection lists, as long as it lies inside
 * the trial folder; otherwise the view says why not.
 *
 * @throws NotFoundError when no open folder holds the trial
 */
export async function getFilesPanel(
  jobKey: string,
  trialKey: string,
  request: { readonly selection: FileSelection; readonly file: string | null; readonly end: FileEnd },
): Promise<FilesPanel> {
  const { path } = await locateTrial(jobKey, trialKey);
  if (path === null) return { entries: [], cutNote: null, view: null, end: request.end, artifacts: null };
  const list = await listTrialFiles(path);
  const entries = list.entries.filter((entry) => isSelected(entry, request.selection));
  const file = request.file ?? findFirst(entries, request.selection);
  const view = file === null ? null : await readTrialFile(path, file, request.end);
  const artifacts = request.selection === "all" ? (await readArtifactManifest(path)).value : null;
  return { entries, cutNote: list.cutNote, view, end: request.end, artifacts };
}

function isSelected(entry: TrialFileEntry, selection: FileSelection): boolean {
  if (selection === "all") return true;
  if (entry.kind !== "file") return false;
  if (selection === "records") return RECORD.test(entry.path);
  return LOG.test(entry.path) && !REWARD_TEXT.test(entry.path);
}

function findFirst(entries: readonly TrialFileEntry[], selection: FileSelection): string | null {
  for (const pattern of FIRST[selection]) {
    const found = entries.find((entry) => pattern.test(entry.path) && entry.sizeBytes !== 0);
    if (found !== undefined) return found.path;
  }
  return entries.find(({ kind }) => kind === "file" && selection !== "all")?.path ?? null;
}

/**
 * A file of a trial as bytes, for download.
 *
 * @throws NotFoundError when no open folder holds the trial
 */
export async function openTrialFile(
  jobKey: string,
  trialKey: string,
  file: string,
): Promise<Parsed<RawFile>> {
  const { path } = await locateTrial(jobKey, trialKey);
  if (path !== null) return await openRawFile(path, file);
  return {
    ok: false,
    issue: { code: "trial_folder_missing", path: file, detail: "This trial has no folder." },
  };
}
