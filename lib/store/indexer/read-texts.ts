import type { TextPiece } from "@/lib/core/domain/search-excerpt";
import { TEXT_LIMITS } from "@/lib/core/domain/search-text";
import { listStepTexts, type Trajectory } from "@/lib/core/domain/trajectory";
import { listStepNames, type Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { TestReport } from "@/lib/core/domain/trial-file";
import { combineDigests, type LoadRoot, openTrial, prepareIssue, stampTrial } from "@/lib/read/loader";
import { readTestReports, readTrajectory, stripTerminal } from "@/lib/read/loader/detail";
import {
  prepareScannerSet,
  type Scanner,
  type ScannerSet,
  type ScannerSource,
  scanTrialFolder,
} from "@/lib/read/scanners";
import {
  finishScans,
  finishTexts,
  type IndexStore,
  type PlacedTrial,
  readScannedTrials,
  readTextStamps,
  type ScannedTrial,
  type TrialTexts,
  writeScans,
  writeTexts,
} from "@/lib/store/tables";

import { prepareIssueRows } from "./issue-rows";
import { readInBatches } from "./progress";
import type { DerivedDetailsTask } from "./read-derived-details";

export interface ScanTask extends DerivedDetailsTask {
  readonly own: readonly ScannerSource[];
}

const SCANS_A_WRITE = 100;

type KnownTrial = Pick<ScannedTrial, "stamp" | "files" | "done" | "extent">;

/** Kept since most jobs use the same set. */
let lastSet: { readonly text: string; readonly set: ScannerSet } | null = null;

/**
 * Runs all scanners over the trials of a job and writes their results. Skips scanners that have run over the same files.
 *
 * @returns false when the job changed meanwhile, so that this must be repeated
 */
export async function readJobScans(
  store: IndexStore,
  { root, job, own }: ScanTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  const text = JSON.stringify(own);
  if (lastSet?.text !== text) lastSet = { text, set: prepareScannerSet(own) };
  const { set } = lastSet;
  const folders = new Map<string, string>();
  const isRead = await readInBatches(store, job, SCANS_A_WRITE, onTrials, async (trials, onTrial) => {
    const keys = trials.map(({ trial }) => trial.key);
    const known = await readScannedTrials(store, job.id, keys);
    const scans: ScannedTrial[] = [];
    for (const placed of trials) {
      onTrial();
      folders.set(placed.trial.key, placed.trial.folder);
      const scanned = await scanPlaced(root, placed, known.get(placed.trial.key), set);
      if (scanned !== null) scans.push(scanned);
    }
    return scans.length === 0 ? null : () => writeScans(store, job, scans);
  });
  if (!isRead) return false;
  return finishScans(store, job, (stopped) => {
    const issues = stopped.map(({ key, scanner, stopped: reason }) =>
      prepareIssue(
        root,
        "scanner_stopped",
        folders.get(key) ?? "",
        `The scanner ${scanner} was stopped. ${reason ?? ""}`,
      ),
    );
    const trials = [...folders].map(([key, folder]) => ({ key, folder }));
    return prepareIssueRows(issues, { root, folder: job.folder, trials, origin: "scans" });
  });
}

async function scanPlaced(
  root: LoadRoot,
  placed: PlacedTrial,
  known: KnownTrial | undefined,
  set: ScannerSet,
): Promise<ScannedTrial | null> {
  const { trial, position } = placed;
  const isSame = known !== undefined && isUnchanged(root, placed, known);
  const before = isSame ? known : NOT_SCANNED;
  const scanners = set.scanners.filter(({ fingerprint }) => !before.done.includes(fingerprint));
  // A removed scanner must not count as done when it returns.
  if (isSame && scanners.length === 0 && before.done.length === set.scanners.length) return null;
  const own = {
    position,
    key: trial.key,
    stamp: stampLateFiles(root, trial, before.files),
    files: before.files,
    done: set.scanners.map(({ fingerprint }) => fingerprint),
    ran: scanners.map(({ id }) => id),
  };
  if (scanners.length === 0) return { ...own, extent: before.extent, results: [] };
  const scan = await scanOpen(root, trial, scanners);
  if (scan === null) return { ...own, extent: "none", results: [] };
  const { results, traceFiles } = scan;
  // Some scanners need no trajectory.
  if (isSame) return { ...own, extent: before.extent, results };
  const files = chooseStamped(traceFiles);
  const stamp = extendStamp(own.stamp, root, trial.folder, files);
  return { ...own, stamp, files, extent: traceFiles.length > 0 ? "steps" : "files", results };
}

const NOT_SCANNED: KnownTrial = { stamp: "", files: [], done: [], extent: "none" };

function isUnchanged(
  root: LoadRoot,
  { trial }: PlacedTrial,
  { stamp, files }: Pick<KnownTrial, "stamp" | "files">,
): boolean {
  return stamp !== "" && stamp === stampLateFiles(root, trial, files);
}

async function scanOpen(root: LoadRoot, trial: PlacedTrial["trial"], scanners: readonly Scanner[]) {
  const path = openTrial(root, trial, "scans");
  if (path === null) return null;
  // The trial's page reports its problem; the job's other trials are still scanned.
  return scanTrialFolder(path, listStepNames(trial), scanners).catch(() => null);
}

/** Files that change when a trial continues or is judged again. */
const PROBES = [
  "result.json",
  "agent",
  "agent/trajectory.json",
  "artifacts/trajectory.json",
  "verifier",
  "verifier/ctrf.json",
];
/** Limit of stamped trajectory files, since some formats have a file per turn. */
const MAX_STAMPED = 20;

/** Stamps a finished trial's files, including those of its trajectory; empty for any other trial. */
function stampLateFiles(
  root: LoadRoot,
  trial: Pick<Trial, "state" | "folder">,
  files: readonly string[],
): string {
  return trial.state === "finished" ? stampTrial(root, trial.folder, [...PROBES, ...files]) : "";
}

function chooseStamped(files: readonly string[]): readonly string[] {
  return files.filter((file) => !PROBES.includes(file)).slice(0, MAX_STAMPED);
}

/** Adds files to a stamp that {@link stampLateFiles} made before reading; keeps an empty one. */
function extendStamp(stamp: string, root: LoadRoot, folder: string, files: readonly string[]): string {
  return stamp === "" || files.length === 0 ? stamp : `${stamp}|${stampTrial(root, folder, files)}`;
}

/** Texts of a trial have up to a million characters, and few thousand on average. */
const TEXTS_A_WRITE = 50;

/**
 * Reads texts, test names and exceptions of a job's trials and writes them to the search index. Skips trials with unchanged files.
 *
 * @returns false when the job changed meanwhile, so that this must be repeated
 */
export async function readJobTexts(
  store: IndexStore,
  { root, job }: DerivedDetailsTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  const isRead = await readInBatches(store, job, TEXTS_A_WRITE, onTrials, async (trials, onTrial) => {
    const keys = trials.map(({ trial }) => trial.key);
    const known = await readTextStamps(store, job.id, keys);
    const texts: TrialTexts[] = [];
    for (const placed of trials) {
      onTrial();
      const before = known.get(placed.trial.key);
      if (before === undefined || !isUnchanged(root, placed, before))
        texts.push(await readTrialTexts(root, placed));
    }
    return texts.length === 0 ? null : () => writeTexts(store, job, texts);
  });
  return isRead && finishTexts(store, job);
}

async function readTrialTexts(root: LoadRoot, placed: PlacedTrial): Promise<TrialTexts> {
  const { trial, position } = placed;
  const { key, folder, ledger } = trial;
  const isFinished = trial.state === "finished";
  const own = { position, key, stamp: stampLateFiles(root, trial, []), files: [] };
  const path = openTrial(root, trial, "texts");
  if (path === null) {
    const trajectoryDigest = ledger !== null && isFinished ? combineDigests(new Map()) : null;
    return { ...own, trajectoryDigest, ...describeTexts(trial, [], null) };
  }
  const stepNames = listStepNames(trial);
  try {
    const trajectory = await readTrajectory(path, stepNames);
    const { value: reports } = await readTestReports(path, stepNames);
    const files = chooseStamped(trajectory.files);
    return {
      ...own,
      // The standard files were stamped before reading; the others are known only now.
      stamp: extendStamp(own.stamp, root, folder, files),
      files,
      trajectoryDigest: isFinished ? trajectory.digest : null,
      ...describeTexts(trial, reports, trajectory),
    };
  } catch {
    // The trial's page reports its problem; the job's other trials are still read.
    return { ...own, trajectoryDigest: null, ...describeTexts(trial, [], null), isCut: true };
  }
}

function describeTexts(trial: Trial, reports: readonly TestReport[], trajectory: Trajectory | null) {
  const texts = new TextsOfTrial();
  const failure = selectFailure(trial)?.exception;
  if (failure !== undefined) texts.add("exception", "", [`${failure.type}: ${failure.message}`]);
  texts.add("test", "", listTestNames(reports));
  for (const step of trajectory?.steps ?? [])
    if (!step.copied) texts.add("step", step.key, listStepTexts(step));
  const steps = trajectory === null || trajectory.files.length === 0 ? null : trajectory.steps;
  return {
    nSteps: steps?.length ?? null,
    nErrors: steps?.filter(({ marks }) => marks.length > 0).length ?? null,
    isCut: texts.isCut,
    pieces: texts.pieces,
  };
}

function* listTestNames(reports: readonly TestReport[]): Generator<string> {
  for (const { tests } of reports) for (const { name } of tests) yield name;
}

class TextsOfTrial {
  readonly pieces: TextPiece[] = [];
  isCut = false;
  private charsLeft: number = TEXT_LIMITS.trialChars;

  add(kind: TextPiece["kind"], key: string, texts: Iterable<string>): void {
    const most = kind === "step" ? this.charsLeft : Math.min(this.charsLeft, TEXT_LIMITS.namesChars);
    const parts: string[] = [];
    let room = most;
    for (const text of texts) {
      const length = Math.min(room, TEXT_LIMITS.textChars);
      if (text.length > length) this.isCut = true;
      if (room <= 0) break;
      const kept = stripTerminal(text.slice(0, length)).toWellFormed();
      if (kept.trim() === "") continue;
      parts.push(kept);
      room -= kept.length;
    }
    this.charsLeft -= most - room;
    if (parts.length > 0) this.pieces.push({ kind, key, text: parts.join("\n") });
  }
}
