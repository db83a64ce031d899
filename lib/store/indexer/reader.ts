import { LRUCache } from "lru-cache";

import type { JobEntry } from "@/lib/core/domain/catalog";
import type { TextPiece } from "@/lib/core/domain/search-excerpt";
import { TEXT_LIMITS } from "@/lib/core/domain/search-text";
import { listStepTexts, type Trajectory } from "@/lib/core/domain/trajectory";
import { listStepNames, type Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { TestReport } from "@/lib/core/domain/trial-file";
import type { Summation } from "@/lib/core/scoring";
import { boundEntry, verifyDraft } from "@/lib/read/catalog";
import {
  describeSource,
  describeTrials,
  type DiscoveredJob,
  isSourceUnchanged,
  type JobReading,
  type KnownTrials,
  type LoadRoot,
  MemoryBudget,
  readJobByTrial,
  type SourceFingerprint,
  StoredTrials,
  StringPool,
  TrialCompactor,
  combineDigests,
  openTrial,
} from "@/lib/read/loader";
import { readTestReports, readTrajectory, stripTerminal } from "@/lib/read/loader/detail";
import { leaveTrial } from "@/lib/read/loader/large-files";
import { hearOfParent, isParentBehind } from "@/lib/read/processes/serve";
import {
  type IndexStore,
  readStoredReading,
  type SourceContent,
  writeSource,
  finishTexts,
  type PlacedTrial,
  readTrialBatches,
  readTextStamps,
  type TrialTexts,
  writeTexts,
} from "@/lib/store/tables";

import { prepareContent } from "./prepare-content";
import { ProgressReport } from "./progress-report";
import { type DerivedDetailsTask, readJobDerivedDetails } from "./read-derived-details";
import { type FailuresTask, readJobFailures } from "./read-failures";
import { readJobScans, type ScanTask } from "./read-scans";
import { chooseStamped, extendStamp, stampLateFiles } from "./stamp-late-files";

export interface SourceTask {
  readonly sourceId: number;
  readonly root: LoadRoot;
  readonly discovered: DiscoveredJob;
  readonly summation: Summation;
  readonly nowMs: number;
}

interface CheckTask {
  readonly root: LoadRoot;
  readonly fingerprint: SourceFingerprint;
  readonly nowMs: number;
}

export type ReadingRequest =
  | { readonly kind: "check"; readonly task: CheckTask }
  | { readonly kind: "read"; readonly task: SourceTask }
  | { readonly kind: "failures"; readonly task: FailuresTask }
  | { readonly kind: "derived-details" | "texts"; readonly task: DerivedDetailsTask }
  | { readonly kind: "scans"; readonly task: ScanTask };

/** Reads in this process, or in child processes. */
export interface Executor {
  /**
   * @returns for a check, true if the folder is unchanged; else false when the job changed meanwhile
   * @throws StoreError when the store cannot be read or written; any other error is a bug
   */
  readonly run: (request: ReadingRequest, onTrials: (n: number) => void) => Promise<boolean>;
}

/** Limit of kept trials of running jobs: when a trial ends, only that trial is read. */
const MOST_KEPT_TRIALS = 20_000;

export class SourceReader implements Executor {
  private readonly store: IndexStore;
  private readonly kept = new LRUCache<number, JobReading>({
    maxSize: MOST_KEPT_TRIALS,
    sizeCalculation: ({ trials }) => Math.max(1, trials.size),
  });

  constructor(store: IndexStore) {
    this.store = store;
  }

  run(request: ReadingRequest, onTrials: (n: number) => void): Promise<boolean> {
    switch (request.kind) {
      case "check": {
        const { root, fingerprint, nowMs } = request.task;
        return Promise.resolve(isSourceUnchanged(root, fingerprint, nowMs));
      }
      case "read":
        return this.read(request.task, onTrials);
      case "derived-details":
        return readJobDerivedDetails(this.store, request.task, onTrials);
      case "failures":
        return readJobFailures(this.store, request.task, onTrials);
      case "texts":
        return readJobTexts(this.store, request.task, onTrials);
      case "scans":
        return readJobScans(this.store, request.task, onTrials);
    }
  }

  private async read(task: SourceTask, onTrials: (n: number) => void): Promise<boolean> {
    const report = new ProgressReport(onTrials);
    const previous = this.kept.get(task.sourceId) ?? (await this.restore(task.sourceId));
    // Drops the cached reading while writing, which takes long and as much memory again.
    this.kept.delete(task.sourceId);
    const { content, running } = await readSource(task, previous, report);
    report.tell();
    await hearOfParent();
    const isWritten = await writeSource(this.store, content);
    report.tell();
    if (running !== null) this.kept.set(task.sourceId, running);
    return isWritten;
  }

  private async restore(sourceId: number): Promise<KnownTrials | null> {
    return readStoredReading(
      this.store,
      sourceId,
      // This program wrote it, see readSource.
      ({ fingerprint, description }) =>
        new StoredTrials(JSON.parse(fingerprint) as SourceFingerprint, description),
    );
  }
}

/** Reads, verifies and summarizes one folder, without writing. `running` holds the cached trials of a running job. */
async function readSource(
  { sourceId, root, discovered, summation, nowMs }: SourceTask,
  previous: JobReading | KnownTrials | null,
  report: ProgressReport,
): Promise<{ readonly content: SourceContent; readonly running: JobReading | null }> {
  const onTrial = () => report.add();
  const context = { root, pool: new StringPool(), budget: new MemoryBudget(), nowMs, onTrial };
  const steps = readJobByTrial(context, discovered, previous);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) if (isParentBehind()) await hearOfParent();
  const reading = step.value;
  leaveTrial();
  report.tell();
  // Serialized now, while the least memory is in use.
  const fingerprint = JSON.stringify(describeSource(reading));
  report.tell();
  const cutFolders = new Set<string>();
  const compactor = new TrialCompactor(new StringPool());
  const jobs = reading.drafts.map((draft) => {
    const entry = verifyDraft(root, draft, draft.job.name, { summation });
    report.tell();
    const bound = boundEntry(entry, root, (trial) => compactor.compact(trial));
    report.tell();
    for (const cut of bound.cutFolders) cutFolders.add(cut);
    return prepareContent(dropStated(bound.entry), root.label, summation, () => report.goOn());
  });
  return {
    content: { sourceId, fingerprint, trials: describeTrials(reading, cutFolders), jobs },
    running: reading.drafts.some(({ job }) => job.state === "running") ? reading : null,
  };
}

/** Drops the recorded values, which are as large as the job. */
function dropStated(entry: JobEntry): JobEntry {
  const { recorded, ...job } = entry.job;
  const groups = recorded?.groups.map((group) => ({ ...group, rewardStats: null, exceptionStats: null }));
  const kept = recorded && { ...recorded, groups: groups ?? [] };
  return { ...entry, job: { ...job, recorded: kept, plan: null, resultBytes: null } };
}

const TRIALS_AT_ONCE = 500;
const CHARS_A_WRITE = 4 << 20;

/**
 * Reads texts, test names and exceptions of a job's trials and writes them to the search index. Skips trials with unchanged files.
 *
 * @returns false when the job changed meanwhile, so that this must be repeated
 * @throws StoreError when the store cannot be read or written
 */
async function readJobTexts(
  store: IndexStore,
  { root, job }: DerivedDetailsTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  const report = new ProgressReport(onTrials);
  let waiting: TrialTexts[] = [];
  let nChars = 0;
  const write = async (): Promise<boolean> => {
    const some = waiting;
    [waiting, nChars] = [[], 0];
    leaveTrial();
    await hearOfParent();
    report.tell();
    return some.length === 0 || writeTexts(store, job, some);
  };
  for await (const trials of readTrialBatches(store, job.id, TRIALS_AT_ONCE)) {
    const known = await readTextStamps(
      store,
      job.id,
      trials.map(({ trial }) => trial.key),
    );
    for (const placed of trials) {
      report.add();
      const before = known.get(placed.trial.key);
      if (
        before !== undefined &&
        before.stamp !== "" &&
        before.stamp === stampLateFiles(root, placed.trial, before.files)
      )
        continue;
      const texts = await readTrialTexts(root, placed);
      waiting.push(texts);
      nChars += texts.pieces.reduce((sum, { text }) => sum + text.length, 0);
      if (nChars >= CHARS_A_WRITE && !(await write())) return false;
    }
    if (!(await write())) return false;
  }
  return finishTexts(store, job);
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

function describeTexts(
  trial: Trial,
  reports: readonly TestReport[],
  trajectory: Trajectory | null,
): Pick<TrialTexts, "nSteps" | "nErrors" | "isCut" | "pieces"> {
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
