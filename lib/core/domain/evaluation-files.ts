import type { LoadIssue } from "./load-issue";
import type { ErrorTag } from "./trial";
import type { LogPlace } from "./verifier-check";

export interface FileOfTrial {
  readonly file: string;
  readonly bytes: Uint8Array;
}

export interface DetailsOfTrial extends FileOfTrial {
  readonly step: string | null;
}

interface StatedIn<T> {
  readonly value: T;
  readonly file: string;
}

export interface EvaluationFiles {
  /** `verifier/reward.json`; null if absent or unreadable (then there is an issue). */
  readonly reward: FileOfTrial | null;
  /** `details.json` of the trial, then of each step; a folder without one uses its `reward-details.json`. */
  readonly details: readonly DetailsOfTrial[];
  /** Validity flags in details; a flag that no file records is absent. */
  readonly flags: ReadonlyMap<"output_parseable" | "schema_valid" | "verifier_completed", StatedIn<boolean>>;
  readonly tags: readonly StatedIn<ErrorTag>[];
  readonly tagFiles: readonly string[];
  readonly confidence: StatedIn<unknown> | null;
  readonly output: {
    readonly file: string;
    readonly isBlank: boolean;
    readonly brokenLine: number | null;
  } | null;
  readonly unfinished: LogPlace | null;
  readonly issues: readonly LoadIssue[];
}

export const NO_EVALUATION_FILES: EvaluationFiles = {
  reward: null,
  details: [],
  flags: new Map(),
  tags: [],
  tagFiles: [],
  confidence: null,
  output: null,
  unfinished: null,
  issues: [],
};
