import type { LoadIssue } from "./load-issue";
import type { ErrorTag } from "./trial";
import type { AgentOutput, LogPlace } from "./verifier-check";

export interface BreakdownCriterion {
  readonly name: string;
  /** As stated, usually 0 to 1; null when it is not a number. */
  readonly value: number | null;
  readonly weight: number | null;
  /** Whether it is met, where the file says so in those terms; null otherwise. */
  readonly satisfied: boolean | null;
  readonly description: string | null;
  readonly reasoning: string | null;
  readonly error: string | null;
}

/** One dimension of a verifier's breakdown, or a group of them. */
export interface BreakdownDimension {
  readonly name: string;
  /** Null for a group without a score of its own and for anything that is not a finite number. */
  readonly score: number | null;
  /** JSON text of the score, so that `true` and `NaN` stay what they are; null when there is none. */
  readonly scoreText: string | null;
  /** Stated maximum; null when unknown, as for a bare number. */
  readonly maxScore: number | null;
  /** Score as a share of its maximum, 0 to 1, or a bare number in [0, 1] that is no count; null when none can be stated. */
  readonly normalised: number | null;
  /** True when the stated score was outside its range and `normalised` was cut to it. */
  readonly clamped: boolean;
  readonly weight: number | null;
  readonly evidence: string | null;
  /** How it was judged, such as `llm`, `programmatic`, `weighted_mean`; null when not stated. */
  readonly method: string | null;
  readonly warnings: readonly string[];
  readonly criteria: readonly BreakdownCriterion[];
  /** Criteria of the file, also where fewer are listed. */
  readonly nCriteria: number;
  /** Those of the file that are met; null when it does not say so of every one. */
  readonly nMet: number | null;
  readonly children: readonly BreakdownDimension[];
  /** Children of the file, also where fewer are listed. */
  readonly nChildren: number;
  /** JSON of a value whose shape is not known; null when everything is in the fields above. */
  readonly rawJson: string | null;
}

/** What one file says, in file order. */
export interface BreakdownSource {
  /** Relative to the trial folder. */
  readonly file: string;
  /** Step of a multi-step trial; null otherwise. */
  readonly step: string | null;
  readonly dimensions: readonly BreakdownDimension[];
  /** The scalar `reward` beside the rows, as written. Not the trial's reward: the reward file decides that. */
  readonly statedReward: string | null;
}

/** A trial's breakdown over all files that hold one; empty sources mean that there is none. */
export interface Breakdown {
  readonly sources: readonly BreakdownSource[];
  /** Error tags that the same files state, in file order. */
  readonly errorTags: readonly ErrorTag[];
  /** All files that were read for it, relative to the trial folder. */
  readonly files: readonly string[];
  readonly issues: readonly LoadIssue[];
}

export interface DimensionShare {
  /** 0 to 1; null when it is named without a share. */
  readonly share: number | null;
  /** As the details state it beside the score; null when they do not. */
  readonly weight: number | null;
}

/** The tests of a trial's verifier, as far as other trials of its task are told about them. */
export interface TrialTests {
  /** Totals of the reports that count; null where one of them states none. */
  readonly nTests: number | null;
  readonly nFailed: number | null;
  /** Names of failed tests as `nameTest` writes them, each once, at most {@link MAX_FAILED_TESTS}. */
  readonly failed: readonly string[];
  /**
   * Codes of the tests that passed, see `codeTest` of lib/domain/tally-tests.ts, joined. Null where the reports do not list all their
   * tests, or more than are kept: then which of the others passed is not known.
   */
  readonly passed: string | null;
}

/** Failed tests of one trial that are kept by name. */
export const MAX_FAILED_TESTS = 200;

/** Passed tests of one trial that are kept: a kilobyte of each trial, of which a page may ask for 20,000. */
export const MAX_PASSED_TESTS = 100;

/** What a trial contributes to per-dimension means, to the lists of error tags and tests, and to the checks of its verifier. */
export interface TrialDerivedDetails {
  /** By name of the dimension: `group.name` inside a group without a score, `step: name` in a multi-step trial. */
  readonly dimensions: ReadonlyMap<string, DimensionShare>;
  readonly errorTags: readonly ErrorTag[];
  /** Null without a report. */
  readonly tests: TrialTests | null;
  /** Whether the verifier left details that can be read, whatever they hold. */
  readonly hasDetails: boolean;
  readonly output: AgentOutput;
  /** Where a log shows that the verifier died; null when none does or no log was looked at. */
  readonly crash: LogPlace | null;
  /** Whether the files themselves say why the reward is 0, such as an output that cannot be parsed. */
  readonly explainsZero: boolean;
}

/** A validity gate of a trial. Null is unknown, which is neither met nor failed. */
export interface ValidityGate {
  readonly name: "output_parseable" | "schema_valid" | "verifier_completed";
  readonly met: boolean | null;
  /** One sentence: where the answer comes from, or why it is unknown. */
  readonly basis: string;
  /** File that the answer was taken from, relative to the trial folder; null where there is none. */
  readonly file: string | null;
  /** What speaks against a gate that is met, and where that stands; null where nothing is known to. */
  readonly doubt: GateDoubt | null;
}

/** Proof in a trial's files against what a gate says. It changes no gate: the evaluation contract asks for the reward alone. */
export interface GateDoubt {
  readonly place: LogPlace;
  /** A clause, such as "the verifier was cancelled". */
  readonly says: string;
}
