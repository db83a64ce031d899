import { leaveTrial } from "@/lib/read/loader/large-files";
import { hearOfParent } from "@/lib/read/processes/serve";
import { type IndexStore, type PendingJob, type PlacedTrial, readTrialBatches } from "@/lib/store/tables";

/**
 * `opening`: the index and the folders. `finding`: looking for jobs. `checking`: comparing the disk with what was read. `reading`:
 * reading what is new. `current`: done. `following`: another program over the same folders updates the index. `failed`: it cannot
 * be updated, see `failure`.
 */
export type IndexPhase = "opening" | "finding" | "checking" | "reading" | "current" | "following" | "failed";

export const NO_STATUS = {
  phase: "opening" as IndexPhase,
  /** Grows with every change that pages can see. */
  generation: 0,
  /** True if every folder was scanned since the program started. */
  isComplete: false,
  nTrialsRead: 0,
  nTrialsToRead: 0,
  rate: null as number | null,
  secondsLeft: null as number | null,
  /** Trials read for derived details, and to be read; both 0 when idle. */
  nDerivedDetailsRead: 0,
  nDerivedDetailsToRead: 0,
  /** Bucket files fetched, and to be fetched; both 0 when idle. */
  nFilesFetched: 0,
  nFilesToFetch: 0,
  /** Files seen by current bucket listings; 0 when idle. */
  nFilesListed: 0,
  /** End of the last scan, ms since 1970-01-01; 0 before the first. */
  scannedAtMs: 0,
  /** Why the index cannot be updated and what to do, in one sentence; null if it can. */
  failure: null as string | null,
  /** A notice that stops nothing, such as where the index had to be stored; null if none. */
  notice: null as string | null,
};

export type IndexStatus = Readonly<typeof NO_STATUS>;

/** Shorter estimates are not shown, since the last trials are still to be written. */
const LEAST_SECONDS = 10;

/** Computes rate and time left after `nRead` of `nTotal` trials in `elapsedMs`. No time left below {@link LEAST_SECONDS}. */
export function computePace(nRead: number, nTotal: number, elapsedMs: number) {
  if (nRead === 0 || elapsedMs <= 0) return { rate: null, secondsLeft: null };
  const rate = (nRead * 1000) / elapsedMs;
  const secondsLeft = Math.ceil((nTotal - nRead) / rate);
  return { rate, secondsLeft: secondsLeft < LEAST_SECONDS ? null : secondsLeft };
}

/** The parent process treats a long silence as a hang, even on a slow disk. */
const REPORT_EVERY_MS = 100;

export class ProgressReport {
  private readonly onTrials: (n: number) => void;
  private n = 0;
  private toldAt = performance.now();

  constructor(onTrials: (n: number) => void) {
    this.onTrials = onTrials;
  }

  add(): void {
    this.n++;
    this.goOn();
  }

  goOn(): void {
    if (performance.now() - this.toldAt >= REPORT_EVERY_MS) this.tell();
  }

  tell(): void {
    this.onTrials(this.n);
    this.n = 0;
    this.toldAt = performance.now();
  }
}

/**
 * Reads the files of a job's trials in batches. `prepare` reads those of one batch and returns how to write what it found; null if
 * it found nothing.
 *
 * @returns false when the job changed meanwhile
 */
export async function readInBatches(
  store: IndexStore,
  job: PendingJob,
  size: number,
  onTrials: (n: number) => void,
  prepare: (trials: readonly PlacedTrial[], onTrial: () => void) => Promise<(() => Promise<boolean>) | null>,
): Promise<boolean> {
  const report = new ProgressReport(onTrials);
  for await (const trials of readTrialBatches(store, job.id, size)) {
    const write = await prepare(trials, () => report.add());
    leaveTrial();
    await hearOfParent();
    if (write !== null && !(await write())) return false;
    report.tell();
  }
  return true;
}
