import type { TrialFileView } from "@/lib/core/domain/file-view";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { TextBounder } from "@/lib/core/domain/text-bounder";
import type { Trial } from "@/lib/core/domain/trial";
import type { ArtifactManifest, TrialFileEntry } from "@/lib/core/domain/trial-file";
import {
  type FileRequest,
  listTrialFiles,
  readArtifactManifests,
  readLedgerDetails,
  readTrialFile,
} from "@/lib/read/loader/detail";

import { findLanguage, makeHighlighted } from "./highlight";
import { takeFileRows, type TrialPlace } from "./place";

type FileSelection = "all" | "logs" | "records";

export interface FilesPanel {
  readonly entries: FileList["entries"];
  readonly view: TrialFileView | null;
  /** False while a file is open, because the trial is not listed then. */
  readonly isEmpty: boolean;
  readonly manifests: readonly ArtifactManifest[];
  readonly areManifestsCut: boolean;
}

const RECORD =
  /^(?:result|config|lock|analysis)\.json$|(?:^|\/)(?:details|reward-details|reward)\.json$|(?:^|\/)reward\.txt$|^artifacts\/manifest\.json$/u;
const LOG =
  /^(?:exception\.txt|trial\.log)$|(?:^|\/)verifier\/[^/]+\.(?:txt|log)$|(?:^|\/)agent\/[^/]+\.(?:txt|log)$|(?:^|\/)agent\/(?:setup|command-\d+)\/[^/]+\.txt$/u;
const REWARD_TEXT = /(?:^|\/)reward\.txt$/u;

const FIRST: Readonly<Record<FileSelection, readonly RegExp[]>> = {
  all: [],
  logs: [/^exception\.txt$/u, /verifier\/test-stdout\.txt$/u, /^trial\.log$/u, LOG],
  records: [/^result\.json$/u, /^config\.json$/u, RECORD],
};

const NO_ARTIFACTS = { isEmpty: false, manifests: [], areManifestsCut: false } as const;
const MAX_ARTIFACTS = 200;
const MAX_ARTIFACT_BYTES = 200_000;

export interface FilesRequest extends FileRequest {
  readonly selection: FileSelection;
  readonly file: string | null;
}

/** Opens a requested file inside the trial folder even if the selection does not list it. Otherwise the view gives the reason. */
export async function readFilesPanel(place: TrialPlace, asked: FilesRequest): Promise<FilesPanel> {
  const { path } = place;
  // Other tabs show files as written.
  const form = asked.form ?? (asked.selection === "all" ? null : "text");
  const request = { ...asked, form };
  if (place.ledger !== null) return openLedgerFile(place.root, place.ledger, request);
  if (path === null) return { entries: [], view: null, ...NO_ARTIFACTS, isEmpty: true };
  if (request.selection === "all") {
    const { file } = request;
    const view = file === null ? null : highlightFile(await readTrialFile(path, file, request));
    if (view !== null) return { entries: [], view, ...NO_ARTIFACTS };
    const isEmpty = (await listTrialFiles(path)).entries.length === 0;
    const whole = await readArtifactManifests(path, place.stepNames);
    const manifests = new TextBounder(MAX_ARTIFACTS, MAX_ARTIFACT_BYTES).bound(whole);
    return { entries: [], view, isEmpty, manifests, areManifestsCut: manifests !== whole };
  }
  const list = await listTrialFiles(path);
  const entries = list.entries.filter((entry) => isSelected(entry, request.selection));
  const file = request.file ?? findFirst(entries, request.selection);
  const view = file === null ? null : highlightFile(await readTrialFile(path, file, request));
  return { entries: limitEntries(entries, path).entries, view, ...NO_ARTIFACTS };
}

function highlightFile(view: TrialFileView): TrialFileView {
  if (view.kind === "problem" || view.content.kind !== "text") return view;
  const { text } = view.content;
  const language = findLanguage(view.path);
  if (language === null) return view;
  const lines = makeHighlighted((highlighter) => highlighter.highlight(text.lines, language));
  return { ...view, content: { ...view.content, text: { ...text, lines } } };
}

/** Opens only the files listed for a ledger's trial, not others in the opened folder. */
async function openLedgerFile(
  root: TrialPlace["root"],
  trial: Trial,
  request: FilesRequest,
): Promise<FilesPanel> {
  const { selection, file: asked } = request;
  const { entries: all, named } = await readLedgerDetails(root, trial);
  const outputs = new Set(named.map(({ file }) => file));
  const entries = all.filter(
    ({ kind, path }) =>
      selection === "all" || (kind === "file" && outputs.has(path) === (selection === "logs")),
  );
  const first = selection === "records" ? trial.folder : entries.find(({ kind }) => kind === "file")?.path;
  const file = asked ?? (selection === "all" ? null : (first ?? null));
  const issue = file === null ? null : refuseUnlisted(all, file);
  const opened = file === null || issue !== null ? null : await readTrialFile(root.path, file, request);
  const view = file === null || issue === null ? opened : ({ kind: "problem", path: file, issue } as const);
  const offered = selection === "all" ? [] : limitEntries(entries, trial.folder).entries;
  return { entries: offered, view, ...NO_ARTIFACTS };
}

export async function checkLedgerFile(
  root: TrialPlace["root"],
  trial: Trial,
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

export interface FileList {
  readonly entries: readonly TrialFileEntry[];
  readonly cutNote: string | null;
}

/** A ledger's trial has only the files that its record names. */
export async function readFileList(place: TrialPlace): Promise<FileList> {
  if (place.ledger !== null) {
    const { entries } = await readLedgerDetails(place.root, place.ledger);
    return limitEntries(entries, place.ledger.folder);
  }
  if (place.path === null) return { entries: [], cutNote: null };
  const { entries, cutNote } = await listTrialFiles(place.path);
  const shown = limitEntries(entries, place.path);
  return { ...shown, cutNote: shown.cutNote ?? cutNote };
}

function limitEntries(all: readonly TrialFileEntry[], place: string): FileList {
  const entries = takeFileRows(all, [place]);
  if (entries === all) return { entries, cutNote: null };
  const [some, whole] = [entries.length, all.length].map((n) => n.toLocaleString("en"));
  return { entries, cutNote: `Only the first ${some} of ${whole} are listed.` };
}
