import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/domain/page-bytes";
import type { ArtifactEntry, TrialFileEntry, TrialFileView } from "@/lib/domain/trial-file";
import {
  type FileEnd,
  listTrialFiles,
  readArtifactManifest,
  readLedgerDetails,
  readTrialFile,
} from "@/lib/loader/detail";
import type { LoadIssue } from "@/lib/domain/load-issue";
import { TextBounder } from "@/lib/domain/text-bounder";
import type { TrialRecord } from "@/lib/domain/trial";

import { countPlaceBytes, type TrialPlace } from "./place";

/** Which of a trial's files a tab offers. */
export type FileSelection = "all" | "logs" | "records";

/** A tab that lists files and shows one. */
export interface FilesPanel {
  readonly entries: readonly TrialFileEntry[];
  readonly cutNote: string | null;
  /** The file that is open; null when there is none to open. */
  readonly view: TrialFileView | null;
  /** What was collected from the environment; null without a manifest, and on the tabs that do not list all files. */
  readonly artifacts: readonly ArtifactEntry[] | null;
  /** Whether more was collected than `artifacts` says. */
  readonly isManifestCut: boolean;
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

/** Of all rows of the list, and of a row beside what its address and its name take. */
const MAX_LIST_BYTES = 700_000;
const ROW_BYTES = 1_100;

const NO_ARTIFACTS = { artifacts: null, isManifestCut: false } as const;
/** Rows of the manifest that a page lists. */
const MAX_ARTIFACTS = 200;
const MAX_ARTIFACT_BYTES = 200_000;

/** What is asked of {@link readFilesPanel}. */
export interface FilesRequest {
  readonly selection: FileSelection;
  readonly file: string | null;
  readonly end: FileEnd;
}

/**
 * Files of a trial with one of them open. A named file is opened whatever the selection lists, as long as it lies inside
 * the trial folder; otherwise the view says why not.
 */
export async function readFilesPanel(place: TrialPlace, request: FilesRequest): Promise<FilesPanel> {
  const { path } = place;
  if (place.ledger !== null) return openLedgerFile(place.root, place.ledger, request);
  if (path === null) return { entries: [], cutNote: null, view: null, ...NO_ARTIFACTS };
  const list = await listTrialFiles(path);
  const entries = list.entries.filter((entry) => isSelected(entry, request.selection));
  const file = request.file ?? findFirst(entries, request.selection);
  const view = file === null ? null : await readTrialFile(path, file, request.end);
  const whole = request.selection === "all" ? (await readArtifactManifest(path)).value : null;
  const artifacts = new TextBounder(MAX_ARTIFACTS, MAX_ARTIFACT_BYTES).bound(whole);
  const shown = limitEntries(entries, path);
  const cutNote = shown.cutNote ?? list.cutNote;
  return { ...shown, cutNote, view, artifacts, isManifestCut: artifacts !== whole };
}

/** As many entries as fit on a page, in their order; every row's address names the path of the trial, `place`. */
function limitEntries(
  all: readonly TrialFileEntry[],
  place: string,
): Pick<FilesPanel, "entries" | "cutNote"> {
  const placeBytes = countPlaceBytes(place);
  const entries = takeFitting(
    all,
    MAX_LIST_BYTES,
    ({ path }) => ROW_BYTES + placeBytes + countAddressBytes(path) + countPageBytes(path),
  );
  if (entries === all) return { entries, cutNote: null };
  const [some, whole] = [entries.length, all.length].map((n) => n.toLocaleString("en"));
  return { entries, cutNote: `Only the first ${some} of ${whole} are listed.` };
}

/** The files of a ledger's trial, with one of them open: none but these, whatever else lies in the opened folder. */
async function openLedgerFile(
  root: TrialPlace["root"],
  trial: TrialRecord,
  { end, selection, file: asked }: FilesRequest,
): Promise<FilesPanel> {
  const { entries: all, named } = await readLedgerDetails(root, trial);
  const outputs = new Set(named.map(({ file }) => file));
  const entries = all.filter(
    ({ kind, path }) =>
      selection === "all" || (kind === "file" && outputs.has(path) === (selection === "logs")),
  );
  const first = selection === "records" ? trial.folder : entries.find(({ kind }) => kind === "file")?.path;
  const file = asked ?? (selection === "all" ? null : (first ?? null));
  const issue = file === null ? null : refuseUnlisted(all, file);
  const opened = file === null || issue !== null ? null : await readTrialFile(root.path, file, end);
  const view = file === null || issue === null ? opened : ({ kind: "problem", path: file, issue } as const);
  return { ...limitEntries(entries, trial.folder), view, ...NO_ARTIFACTS };
}

/** Why a file may not be opened as one of a ledger's trial; null when it may. */
export async function checkLedgerFile(
  root: TrialPlace["root"],
  trial: TrialRecord,
  file: string,
): Promise<LoadIssue | null> {
  const { entries } = await readLedgerDetails(root, trial);
  return refuseUnlisted(entries, file);
}

function refuseUnlisted(entries: readonly TrialFileEntry[], file: string): LoadIssue | null {
  if (entries.some(({ kind, path }) => kind === "file" && path === file)) return null;
  return { code: "file_unreadable", path: file, detail: "It is not one of this trial's files." };
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
