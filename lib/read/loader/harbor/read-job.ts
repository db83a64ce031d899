import type { DiscoveredJob } from "../discover/discover";
import { stampSharedFiles } from "../discover/job-files";
import { prepareIssue } from "../discover/load-root";
import { NO_LEDGER, readLedgerTrial } from "../ledger/read-ledger-trial";
import { assembleJob, type JobContext, type JobDraft } from "./assemble-job";
import { prepareUnread, readTrial } from "./read-trial";
import type { TrialReading } from "./trial-files";

export interface JobReading {
  readonly discovered: DiscoveredJob;
  readonly drafts: readonly JobDraft[];
  /** In the order of `discovered.trialFolders`. */
  readonly readings: readonly TrialReading[];
  readonly filesStamp: string;
  /** When an unchanged, unfinished job must be scanned again, in milliseconds since 1970-01-01. */
  readonly holdsUntilMs: number;
}

export function readJob(context: JobContext, discovered: DiscoveredJob, onTrial?: () => void): JobReading {
  const reading = readJobByTrial(context, discovered);
  let step = reading.next();
  for (; step.done !== true; step = reading.next()) onTrial?.();
  return step.value;
}

/** Yields after each trial, so that the caller can tell how far it is. */
export function* readJobByTrial(
  context: JobContext,
  discovered: DiscoveredJob,
): Generator<undefined, JobReading> {
  const { root, budget } = context;
  const { folder, kind, trialFolders } = discovered;
  const filesStamp = stampSharedFiles(root, kind, folder);
  const read = kind === "ledger" ? readLedgerTrial : readTrial;
  const readings: TrialReading[] = [];
  for (const trialFolder of trialFolders) {
    const reading = read(root, trialFolder);
    const refusal = budget.take(reading);
    readings.push(refusal === null ? reading : leaveOut(context, reading, refusal));
    yield;
  }
  return { discovered, filesStamp, readings, ...assembleJob(context, discovered, readings) };
}

function leaveOut({ root }: JobContext, reading: TrialReading, refusal: string): TrialReading {
  const { folder, ledger } = reading.record;
  const { record, configured } = prepareUnread(root, folder);
  return {
    ...reading,
    record: { ...record, ledger: ledger && NO_LEDGER },
    configured,
    issues: [prepareIssue(root, "job_too_large", folder, refusal)],
  };
}
