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
  type DiscoveredJob,
  isSourceUnchanged,
  type LoadRoot,
  MemoryBudget,
  readJobByTrial,
  type SourceFingerprint,
  combineDigests,
  openTrial,
} from "@/lib/read/loader";
import { readTestReports, readTrajectory, stripTerminal } from "@/lib/read/loader/detail";
import { leaveTrial } from "@/lib/read/loader/large-files";
import { hearOfParent, isParentBehind } from "@/lib/read/processes/with-parent";
import {
  type IndexStore,
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

export class SourceReader implements Executor {
  private readonly store: IndexStore;

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
    const content = await readSource(task, report);
    report.tell();
    await hearOfParent();
    const isWritten = await writeSource(this.store, content);
    report.tell();
    return isWritten;
  }
}

/** Reads, verifies and summarizes one folder, without writing. */
async function readSource(
  { sourceId, root, discovered, summation, nowMs }: SourceTask,
  report: ProgressReport,
): Promise<SourceContent> {
  const steps = readJobByTrial({ root, budget: new MemoryBudget(), nowMs }, discovered);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    report.add();
    if (isParentBehind()) await hearOfParent();
  }
  const reading = step.value;
  leaveTrial();
  report.tell();
  // Serialized now, while the least memory is in use.
  const fingerprint = JSON.stringify(describeSource(reading));
  report.tell();
  const jobs = reading.drafts.map((draft) => {
    const entry = verifyDraft(root, draft, draft.job.name, { summation });
    report.tell();
    const bound = boundEntry(entry, root);
    report.tell();
    return prepareContent(dropStated(bound), root.label, summation, () => report.goOn());
  });
  return { sourceId, fingerprint, jobs };
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
