import type { LoadIssue } from "./load-issue";
import type { ErrorTag } from "./trial";
import type { AgentOutput, LogPlace } from "./verifier-check";

export interface BreakdownCriterion {
  readonly name: string;
  readonly value: number | null;
  readonly weight: number | null;
  readonly satisfied: boolean | null;
  readonly description: string | null;
  readonly reasoning: string | null;
  readonly error: string | null;
}

export interface BreakdownDimension {
  readonly name: string;
  readonly score: number | null;
  /** JSON text of the score, so that `true` and `NaN` survive; null if there is none. */
  readonly scoreText: string | null;
  readonly maxScore: number | null;
  /** Score divided by its maximum, 0 to 1, or a bare number in [0, 1] that is not a count; null if neither applies. */
  readonly normalised: number | null;
  /** True if the recorded score was out of range and `normalised` was clamped. */
  readonly clamped: boolean;
  readonly weight: number | null;
  readonly evidence: string | null;
  readonly method: string | null;
  readonly warnings: readonly string[];
  readonly criteria: readonly BreakdownCriterion[];
  readonly nCriteria: number;
  /** Null unless the file says so for every criterion. */
  readonly nMet: number | null;
  readonly children: readonly BreakdownDimension[];
  readonly nChildren: number;
  readonly rawJson: string | null;
}

export interface BreakdownSource {
  readonly file: string;
  readonly step: string | null;
  readonly dimensions: readonly BreakdownDimension[];
  /** Scalar `reward` next to the rows, as written. The trial's reward comes from the reward file. */
  readonly statedReward: string | null;
}

export interface Breakdown {
  readonly sources: readonly BreakdownSource[];
  readonly errorTags: readonly ErrorTag[];
  readonly files: readonly string[];
  readonly issues: readonly LoadIssue[];
}

export interface DimensionShare {
  readonly share: number | null;
  readonly weight: number | null;
}

export interface TrialTests {
  /** Totals of the counted reports; null if one of them has none. */
  readonly nTests: number | null;
  readonly nFailed: number | null;
  readonly failed: readonly string[];
  /** Joined codes of passed tests, see `codeTest`. Null if reports do not list every test, or list more than are kept. */
  readonly passed: string | null;
}

export const MAX_FAILED_TESTS = 200;

/** Passed tests kept per trial: 1 KB each, and a page may request 20,000 trials. */
export const MAX_PASSED_TESTS = 100;

export interface TrialDerivedDetails {
  readonly dimensions: ReadonlyMap<string, DimensionShare>;
  readonly errorTags: readonly ErrorTag[];
  readonly tests: TrialTests | null;
  readonly hasDetails: boolean;
  readonly output: AgentOutput;
  readonly crash: LogPlace | null;
  readonly explainsZero: boolean;
}

/** Null is unknown, neither met nor failed. */
export interface ValidityGate {
  readonly name: "output_parseable" | "schema_valid" | "verifier_completed";
  readonly met: boolean | null;
  readonly basis: string;
  readonly file: string | null;
  readonly doubt: GateDoubt | null;
}

/** Evidence in a trial's files against a gate. It changes no gate: the evaluation contract uses only the reward. */
export interface GateDoubt {
  readonly place: LogPlace;
  readonly says: string;
}
