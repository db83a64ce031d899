/** Digests by content alone: moving, renaming or copying a folder changes nothing. Null is unknown, never a change. */
export interface TrialFingerprint {
  readonly result: string | null;
  /** Null until the files are read, or if one cannot be. A trial without a trajectory has the digest of no files. */
  readonly trajectory: string | null;
}

export const UNKNOWN_FINGERPRINT: TrialFingerprint = { result: null, trajectory: null };

type FingerprintChange =
  | "unchanged"
  | "changed: result"
  | "changed: trajectory"
  | "changed: result and trajectory"
  | "unknown";

export function describeChange(a: TrialFingerprint, b: TrialFingerprint): FingerprintChange {
  const result = isSamePart(a.result, b.result);
  const trajectory = isSamePart(a.trajectory, b.trajectory);
  if (result === false) return trajectory === false ? "changed: result and trajectory" : "changed: result";
  if (trajectory === false) return "changed: trajectory";
  return result === null || trajectory === null ? "unknown" : "unchanged";
}

export function hasChanged(a: TrialFingerprint, b: TrialFingerprint): boolean {
  return describeChange(a, b).startsWith("changed");
}

function isSamePart(a: string | null, b: string | null): boolean | null {
  return a === null || b === null ? null : a === b;
}

/** Raise it when the same files would get another digest: stored fingerprints are then unknown, not changed. */
const VERSION = 1;
const UNKNOWN_PART = "-";
const TEXT = new RegExp(`^${VERSION}:([0-9a-f]{32}|-):([0-9a-f]{32}|-)$`, "u");

/** Formats version, result and trajectory, such as `1:0f…:-`; `-` is unknown. */
export function formatFingerprint({ result, trajectory }: TrialFingerprint): string {
  return [VERSION, result ?? UNKNOWN_PART, trajectory ?? UNKNOWN_PART].join(":");
}

const ANY_VERSION = /^\d{1,4}:([0-9a-f]{1,128}|-):([0-9a-f]{1,128}|-)$/u;

export function isFingerprint(text: string): boolean {
  return ANY_VERSION.test(text);
}

/** Parses the text of {@link formatFingerprint}; never throws. Any other text, and null, is unknown. */
export function parseFingerprint(text: string | null): TrialFingerprint {
  const [, result, trajectory] = TEXT.exec(text ?? "") ?? [];
  return { result: readPart(result), trajectory: readPart(trajectory) };
}

function readPart(part: string | undefined): string | null {
  return part === undefined || part === UNKNOWN_PART ? null : part;
}
