/**
 * What a trial's files held, by content alone: equal for a folder that was moved, renamed or copied, whatever its times.
 * A part is null where it is not known, which is never a change.
 */
export interface TrialFingerprint {
  /** Digest of result.json, or of a ledger's record; null without a finished result in a file of its own. */
  readonly result: string | null;
  /**
   * Digest of the files that its trajectory is read from; null until they were read, and where one of them cannot be. A
   * trial without a trajectory has the digest of no files, so that one that comes later is a change.
   */
  readonly trajectory: string | null;
}

/** The fingerprint of a trial of which nothing was read. */
export const UNKNOWN_FINGERPRINT: TrialFingerprint = { result: null, trajectory: null };

/** How two fingerprints of one trial differ. `unknown`: nothing is known to differ, and a part of one side is not known. */
export type FingerprintChange =
  | "unchanged"
  | "changed: result"
  | "changed: trajectory"
  | "changed: result and trajectory"
  | "unknown";

/**
 * Says what of a trial changed between two moments, such as when it was judged and now. A part that is null on either side
 * is not known to have changed; the order of the two does not matter.
 */
export function describeChange(a: TrialFingerprint, b: TrialFingerprint): FingerprintChange {
  const result = isSamePart(a.result, b.result);
  const trajectory = isSamePart(a.trajectory, b.trajectory);
  if (result === false) return trajectory === false ? "changed: result and trajectory" : "changed: result";
  if (trajectory === false) return "changed: trajectory";
  return result === null || trajectory === null ? "unknown" : "unchanged";
}

/** Whether result or trajectory is known to have changed, so that what was said of the trial has to be confirmed. */
export function hasChanged(a: TrialFingerprint, b: TrialFingerprint): boolean {
  return describeChange(a, b).startsWith("changed");
}

function isSamePart(a: string | null, b: string | null): boolean | null {
  return a === null || b === null ? null : a === b;
}

/** Raised whenever the same files would get another digest, so that what was stored before is unknown and not changed. */
const VERSION = 1;
const UNKNOWN_PART = "-";
const TEXT = new RegExp(`^${VERSION}:([0-9a-f]{32}|-):([0-9a-f]{32}|-)$`, "u");

/** A fingerprint as one text for a column or a file, such as `1:0f…:-`: version, result, trajectory, `-` for unknown. */
export function formatFingerprint({ result, trajectory }: TrialFingerprint): string {
  return [VERSION, result ?? UNKNOWN_PART, trajectory ?? UNKNOWN_PART].join(":");
}

const ANY_VERSION = /^\d{1,4}:([0-9a-f]{1,128}|-):([0-9a-f]{1,128}|-)$/u;

/** Whether a text is a fingerprint, of this or another version of them. */
export function isFingerprint(text: string): boolean {
  return ANY_VERSION.test(text);
}

/**
 * The fingerprint that {@link formatFingerprint} wrote. All of it is unknown for null and for any other text, those of
 * another version and of imported files too; never throws.
 */
export function parseFingerprint(text: string | null): TrialFingerprint {
  const [, result, trajectory] = TEXT.exec(text ?? "") ?? [];
  return { result: readPart(result), trajectory: readPart(trajectory) };
}

function readPart(part: string | undefined): string | null {
  return part === undefined || part === UNKNOWN_PART ? null : part;
}
