import type { DiscoveredJob } from "../discover/discover";
import { stampSharedFiles } from "../discover/job-files";
import { type LoadRoot, prepareIssue } from "../discover/load-root";
import { stampTrial } from "../folder-reader";
import { NO_LEDGER, readLedgerTrial } from "../ledger/read-ledger-trial";
import { assembleJob, type JobContext, type JobDraft } from "./assemble-job";
import { type CompactTrial, TrialCompactor, type TrialReading } from "./compact-trial";
import { prepareUnread, readTrial } from "./read-trial";

export interface KnownTrials {
  readonly trials: ReadonlyMap<string, TrialReading>;
}

export interface JobReading extends KnownTrials {
  readonly discovered: DiscoveredJob;
  readonly drafts: readonly JobDraft[];
  readonly filesStamp: string;
  /** When an unchanged, unfinished job must be scanned again, in milliseconds since 1970-01-01. */
  readonly holdsUntilMs: number;
}

/** Reads changed trials only. Returns `previous` itself if nothing changed. */
export function readJob(...job: Parameters<typeof readJobByTrial>): JobReading {
  const reading = readJobByTrial(...job);
  let step = reading.next();
  while (step.done !== true) step = reading.next();
  return step.value;
}

export function* readJobByTrial(
  context: JobContext,
  discovered: DiscoveredJob,
  previous: JobReading | KnownTrials | null,
): Generator<undefined, JobReading> {
  const { root, nowMs } = context;
  const whole = previous !== null && "drafts" in previous ? previous : null;
  const filesStamp = stampSharedFiles(root, discovered.kind, discovered.folder);
  let isChanged = whole === null || !isSameJob(whole, discovered, filesStamp) || nowMs > whole.holdsUntilMs;
  const compactor = new TrialCompactor(context.pool);
  const trials = new Map<string, TrialReading>();
  for (const folder of discovered.trialFolders) {
    const known = recallTrial(root, folder, previous);
    isChanged ||= known === null;
    const read = discovered.kind === "ledger" ? readLedgerTrial : readTrial;
    const reading = known ?? compactor.compactReading(read(context, folder), context.budget);
    const refusal = context.budget.take(reading.budgetBytes);
    trials.set(folder, refusal === null ? reading : leaveOut(context, folder, reading, refusal, compactor));
    context.onTrial?.();
    yield;
  }
  if (whole !== null && !isChanged) return whole;
  const assembled = assembleJob(context, discovered, [...trials.values()], compactor);
  for (const draft of assembled.drafts) shareRecords(trials, draft.trials);
  return { discovered, filesStamp, trials, ...assembled };
}

function shareRecords(readings: Map<string, TrialReading>, trials: readonly CompactTrial[]): void {
  for (const trial of trials) {
    const reading = readings.get(trial.folder);
    const { state, exception, steps, ledger } = trial;
    if (
      reading === undefined ||
      state !== "finished" ||
      exception !== null ||
      steps !== null ||
      ledger !== null
    )
      continue;
    readings.set(trial.folder, { ...reading, record: trial });
  }
}

function recallTrial(root: LoadRoot, folder: string, previous: KnownTrials | null): TrialReading | null {
  const known = previous?.trials.get(folder);
  // Retry a trial that did not fit into memory: others may be smaller now.
  if (known === undefined || known.issues[0]?.code === "job_too_large") return null;
  return stampTrial(root, folder, known.probes) === known.record.details.stamp ? known : null;
}

function leaveOut(
  context: JobContext,
  folder: string,
  reading: TrialReading,
  refusal: string,
  compactor: TrialCompactor,
): TrialReading {
  const { record, configured } = prepareUnread(context, folder);
  return {
    ...reading,
    record: compactor.compact(
      { ...record, ledger: reading.record.ledger && NO_LEDGER },
      { configured, stamp: reading.record.details.stamp },
    ),
    budgetBytes: 0,
    issues: [prepareIssue(context.root, "job_too_large", folder, refusal)],
  };
}

function isSameJob(known: JobReading, b: DiscoveredJob, filesStamp: string): boolean {
  const a = known.discovered;
  if (known.filesStamp !== filesStamp || a.kind !== b.kind || a.trialFolders.length !== b.trialFolders.length)
    return false;
  return a.trialFolders.every((folder, index) => folder === b.trialFolders[index]);
}
