/**
 * What the indexer is doing. `opening`: the index and the folders. `finding`: looking for jobs. `checking`: comparing what
 * is on disk with what was read. `reading`: reading what is new. `current`: done. `following`: another program over the
 * same folders keeps the index up to date. `failed`: it cannot be kept up to date, see `failure`.
 */
export type IndexPhase = "opening" | "finding" | "checking" | "reading" | "current" | "following" | "failed";

/** How the index stands and how far the work on it has come. */
export interface IndexStatus {
  readonly phase: IndexPhase;
  /** Grows with every change that pages can see. */
  readonly generation: number;
  /** Whether every folder was looked at since the program started. */
  readonly isComplete: boolean;
  /** Trials of this scan that were read, and that are to be read. */
  readonly nTrialsRead: number;
  readonly nTrialsToRead: number;
  /** Trials a second of this scan; null before the first. */
  readonly rate: number | null;
  readonly secondsLeft: number | null;
  /** Trials whose verifier's files were read for derived details, and that are to be read; both 0 when none are being read. */
  readonly nDerivedDetailsRead: number;
  readonly nDerivedDetailsToRead: number;
  /** Files of buckets that were fetched, and that are to be; both 0 when none are being fetched. */
  readonly nFilesFetched: number;
  readonly nFilesToFetch: number;
  /** Files that listings of buckets under way have seen; 0 when none is. */
  readonly nFilesListed: number;
  /** When the last scan ended, milliseconds since 1970-01-01; 0 when none has. */
  readonly scannedAtMs: number;
  /** Why the index cannot be kept up to date and what to do, in one sentence; null when it is. */
  readonly failure: string | null;
  /** Something worth knowing that stops nothing, such as where the index had to be kept; null when there is nothing. */
  readonly notice: string | null;
}

/** The state before anything was done. */
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

/** Shorter times are not promised: what was read last is still to be written. */
const LEAST_SECONDS = 10;

/** Rate and time left after `nRead` of `nTotal` trials in `elapsedMs`; no time left is given below {@link LEAST_SECONDS}. */
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
