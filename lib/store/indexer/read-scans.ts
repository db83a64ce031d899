import { listStepNames } from "@/lib/core/domain/trial";
import { type LoadRoot, openTrial, prepareIssue } from "@/lib/read/loader";
import { leaveTrial } from "@/lib/read/loader/large-files";
import { hearOfParent } from "@/lib/read/processes/serve";
import {
  type FolderScan,
  prepareScannerSet,
  type Scanner,
  type ScannerSet,
  type ScannerSource,
  scanTrialFolder,
} from "@/lib/read/scanners";
import {
  finishScans,
  type IndexStore,
  type PlacedTrial,
  readTrialBatches,
  readScannedTrials,
  type ScannedTrial,
  writeScans,
} from "@/lib/store/tables";

import { prepareIssueRows } from "./issue-rows";
import { ProgressReport } from "./progress-report";
import type { DerivedDetailsTask } from "./read-derived-details";
import { chooseStamped, extendStamp, stampLateFiles } from "./stamp-late-files";

export interface ScanTask extends DerivedDetailsTask {
  readonly own: readonly ScannerSource[];
}

const TRIALS_AT_ONCE = 500;
const TRIALS_A_WRITE = 100;

type KnownTrial = Pick<ScannedTrial, "stamp" | "files" | "done" | "extent">;

/** Kept since most jobs use the same set. */
let lastSet: { readonly text: string; readonly set: ScannerSet } | null = null;

/**
 * Runs all scanners over the trials of a job and writes their results. Skips scanners that have run over the same files.
 *
 * @returns false when the job changed meanwhile, so that this must be repeated
 * @throws StoreError when the store cannot be read or written
 */
export async function readJobScans(
  store: IndexStore,
  { root, job, own }: ScanTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  const text = JSON.stringify(own);
  if (lastSet?.text !== text) lastSet = { text, set: prepareScannerSet(own) };
  const { set } = lastSet;
  const report = new ProgressReport(onTrials);
  const folders = new Map<string, string>();
  let waiting: ScannedTrial[] = [];
  const write = async (): Promise<boolean> => {
    const some = waiting;
    waiting = [];
    leaveTrial();
    await hearOfParent();
    report.tell();
    return some.length === 0 || writeScans(store, job, some);
  };
  for await (const trials of readTrialBatches(store, job.id, TRIALS_AT_ONCE)) {
    const known = await readScannedTrials(
      store,
      job.id,
      trials.map(({ trial }) => trial.key),
    );
    for (const placed of trials) {
      report.add();
      folders.set(placed.trial.key, placed.trial.folder);
      const scanned = await scanPlaced(root, placed, known.get(placed.trial.key), set);
      if (scanned !== null) waiting.push(scanned);
      if (waiting.length >= TRIALS_A_WRITE && !(await write())) return false;
    }
    if (!(await write())) return false;
  }
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

/** @returns null if the whole set has run over the trial's current files */
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

function isUnchanged(root: LoadRoot, { trial }: PlacedTrial, { stamp, files }: KnownTrial): boolean {
  return stamp !== "" && stamp === stampLateFiles(root, trial, files);
}

/** @returns null for a trial that cannot be opened */
async function scanOpen(
  root: LoadRoot,
  trial: PlacedTrial["trial"],
  scanners: readonly Scanner[],
): Promise<FolderScan | null> {
  const path = openTrial(root, trial, "scans");
  if (path === null) return null;
  // The trial's page reports its problem; the job's other trials are still scanned.
  return scanTrialFolder(path, listStepNames(trial), scanners).catch(() => null);
}
