import type { TextPiece } from "@/lib/core/domain/search-excerpt";
import { TEXT_LIMITS } from "@/lib/core/domain/search-text";
import { listStepTexts, type Trajectory } from "@/lib/core/domain/trajectory";
import type { TrialRecord } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { TestReport } from "@/lib/core/domain/trial-file";
import { combineDigests, findLock, type LoadRoot } from "@/lib/read/loader";
import { readTestReports, readTrajectory, resolveFolder, stripTerminal } from "@/lib/read/loader/detail";
import { enterTrial, leaveTrial } from "@/lib/read/loader/large-files";
import { hearOfParent } from "@/lib/read/processes/with-parent";
import {
  finishTexts,
  type IndexStore,
  type PlacedTrial,
  readPlacedTrials,
  readTextStamps,
  type TrialTexts,
  writeTexts,
} from "@/lib/store/tables";

import { ProgressReport } from "./progress-report";
import type { DerivedDetailsTask } from "./read-derived-details";
import { chooseStamped, extendStamp, stampLateFiles } from "./stamp-late-files";

const TRIALS_AT_ONCE = 500;
const CHARS_A_WRITE = 4 << 20;

/**
 * Reads texts, test names and exceptions of a job's trials and writes them to the search index. Skips trials with unchanged files.
 *
 * @returns false when the job changed meanwhile, so that this must be repeated
 * @throws StoreError when the store cannot be read or written
 */
export async function readJobTexts(
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
  for (let from = 0; ;) {
    const trials = await readPlacedTrials(store, job.id, from, TRIALS_AT_ONCE);
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
    if (trials.length < TRIALS_AT_ONCE) break;
    from = (trials.at(-1)?.position ?? from) + 1;
  }
  return finishTexts(store, job);
}

async function readTrialTexts(root: LoadRoot, placed: PlacedTrial): Promise<TrialTexts> {
  const { trial, position } = placed;
  const { key, folder, ledger } = trial;
  const isFinished = trial.state === "finished";
  const own = { position, key, stamp: stampLateFiles(root, trial, []), files: [] };
  // A trial known only from the job's plan or statistics has no folder, and a ledger's has no steps.
  const isOpen = folder !== "" && ledger === null && findLock(root, folder) === null;
  const path = isOpen ? resolveFolder(root.path, folder) : null;
  if (path === null || enterTrial(path, "texts") !== null) {
    const trajectoryDigest = ledger !== null && isFinished ? combineDigests(new Map()) : null;
    return { ...own, trajectoryDigest, ...describeTexts(trial, [], null) };
  }
  const stepNames = trial.steps?.map(({ stepName }) => stepName) ?? null;
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
  trial: TrialRecord,
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
