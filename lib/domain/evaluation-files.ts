import type { LoadIssue } from "./load-issue";
import type { ErrorTag } from "./trial";
import type { LogPlace } from "./verifier-check";

export interface FileOfTrial {
  /** Relative to the trial folder. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

export interface DetailsOfTrial extends FileOfTrial {
  /** Step of a multi-step trial; null otherwise. */
  readonly step: string | null;
}

/** Something that a file states, with the file. */
export interface StatedIn<T> {
  readonly value: T;
  readonly file: string;
}

/** What a trial's folder says for its evaluation, beyond rewards. */
export interface EvaluationFiles {
  /** `verifier/reward.json`; null where there is none, and where it cannot be read (then there is an issue). */
  readonly reward: FileOfTrial | null;
  /** `details.json` of the trial, then of each step; where a folder has none, its `reward-details.json`. */
  readonly details: readonly DetailsOfTrial[];
  /** Validity flags that details state; a flag nobody states is absent. */
  readonly flags: ReadonlyMap<"output_parseable" | "schema_valid" | "verifier_completed", StatedIn<boolean>>;
  /** Error tags that details state and failed checks of an analysis, in that order. */
  readonly tags: readonly StatedIn<ErrorTag>[];
  /** Files that were looked through for tags, whether or not they have any: details with a list of them, and the analysis. */
  readonly tagFiles: readonly string[];
  /** Confidence as details state it, unchecked. */
  readonly confidence: StatedIn<unknown> | null;
  /** What the agent handed in; null where no file is known to be its output. */
  readonly output: {
    readonly file: string;
    readonly isBlank: boolean;
    /** First line of JSON Lines that is no JSON, from 1; null where all are, and for what was not looked through. */
    readonly brokenLine: number | null;
  } | null;
  /** Where a log shows that the verifier was cancelled or died, whatever it left; null where none does or none was looked at. */
  readonly unfinished: LogPlace | null;
  /** Files that are there and could not be read; paths relative to the trial folder. */
  readonly issues: readonly LoadIssue[];
}

/** Of a trial without a folder. */
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
