/**
 * `opening`: the index and the folders. `finding`: looking for jobs. `checking`: comparing the disk with what was read. `reading`:
 * reading what is new. `current`: done. `following`: another program over the same folders updates the index. `failed`: it cannot
 * be updated, see `failure`.
 */
export type IndexPhase = "opening" | "finding" | "checking" | "reading" | "current" | "following" | "failed";

export interface IndexStatus {
  readonly phase: IndexPhase;
  /** Grows with every change that pages can see. */
  readonly generation: number;
  /** True if every folder was scanned since the program started. */
  readonly isComplete: boolean;
  readonly nTrialsRead: number;
  readonly nTrialsToRead: number;
  readonly rate: number | null;
  readonly secondsLeft: number | null;
  /** Trials read for derived details, and to be read; both 0 when idle. */
  readonly nDerivedDetailsRead: number;
  readonly nDerivedDetailsToRead: number;
  /** Bucket files fetched, and to be fetched; both 0 when idle. */
  readonly nFilesFetched: number;
  readonly nFilesToFetch: number;
  /** Files seen by current bucket listings; 0 when idle. */
  readonly nFilesListed: number;
  /** End of the last scan, ms since 1970-01-01; 0 before the first. */
  readonly scannedAtMs: number;
  /** Why the index cannot be updated and what to do, in one sentence; null if it can. */
  readonly failure: string | null;
  /** A notice that stops nothing, such as where the index had to be stored; null if none. */
  readonly notice: string | null;
}

export const NO_STATUS: IndexStatus = {
  phase: "opening",
  generation: 0,
  isComplete: false,
  nTrialsRead: 0,
  nTrialsToRead: 0,
  rate: null,
  secondsLeft: null,
  nDerivedDetailsRead: 0,
  nDerivedDetailsToRead: 0,
  nFilesFetched: 0,
  nFilesToFetch: 0,
  nFilesListed: 0,
  scannedAtMs: 0,
  failure: null,
  notice: null,
};

/** Shorter estimates are not shown, since the last trials are still to be written. */
const LEAST_SECONDS = 10;

/** Computes rate and time left after `nRead` of `nTotal` trials in `elapsedMs`. No time left below {@link LEAST_SECONDS}. */
export function computePace(
  nRead: number,
  nTotal: number,
  elapsedMs: number,
): Pick<IndexStatus, "rate" | "secondsLeft"> {
  if (nRead === 0 || elapsedMs <= 0) return { rate: null, secondsLeft: null };
  const rate = (nRead * 1000) / elapsedMs;
  const secondsLeft = Math.ceil((nTotal - nRead) / rate);
  return { rate, secondsLeft: secondsLeft < LEAST_SECONDS ? null : secondsLeft };
}
