import type { SavedBy } from "@/lib/core/domain/annotation";
import type { ValidityGate } from "@/lib/core/domain/breakdown";
import type { EvaluationResult, Judgment } from "@/lib/core/evaluation";

export interface Provenance {
  /** File relative to the trial folder, `assay` for reviews made here, null without a source. */
  readonly from: string | null;
  readonly rule: string;
}

export interface AnnotationProvenance extends Provenance {
  /** Version of the judgment in Assay's own store; null for one from a file. */
  readonly versionId: string | null;
  /** User who saved that version in the reviewer's name; null for the reviewer, and for a judgment from a file. */
  readonly savedBy: SavedBy | null;
}

/** Origin of each part; its lists are parallel to those of the evaluation. */
interface EvaluationProvenance {
  readonly reward: Provenance;
  readonly output_parseable: Provenance;
  readonly schema_valid: Provenance;
  readonly verifier_completed: Provenance;
  readonly breakdown: Provenance;
  readonly error_taxonomy: readonly Provenance[];
  readonly confidence: Provenance;
  readonly annotations: readonly AnnotationProvenance[];
}

/** A decision over the reviewers of a trial; see `Decision` of the annotations. */
export interface TrialDecision {
  readonly decisionId: string;
  /** Null if left open on purpose. */
  readonly finalJudgment: Judgment | null;
  readonly categories: readonly string[];
  readonly reason: string;
  readonly decidedBy: string;
  /** UTC, ISO 8601. */
  readonly decidedAt: string;
  readonly sources: readonly string[];
}

/** An effective decision: over reviewers who differ. */
export interface TrialAdjudication {
  readonly status: "adjudicated" | "contested";
  readonly decision: TrialDecision;
}

export interface EvaluationFault {
  /** From the contract (`value_error`, `JSONDecodeError` ...), the load report, or the mapping. */
  readonly code: string;
  readonly field: string;
  /** File relative to the trial folder; null if no file caused the fault. */
  readonly file: string | null;
  readonly message: string;
}

type Gates = Pick<EvaluationResult["validity"], "output_parseable" | "schema_valid" | "verifier_completed">;

export interface PartialEvaluation extends Omit<EvaluationResult, "validity"> {
  readonly validity: { readonly [Gate in keyof Gates]: boolean | null } & Pick<
    EvaluationResult["validity"],
    "errors"
  >;
}

/** At most one of `evaluation` and `partial` is set. */
export interface TrialEvaluation {
  /** Valid by the contract, every gate known. Null means no evaluation, which is neither a reward of 0 nor a failure. */
  readonly evaluation: EvaluationResult | null;
  /** Set where only unknown gates prevent an evaluation. If both are null, `issues` has the reason. */
  readonly partial: PartialEvaluation | null;
  /** Paths of fields without a source; each is null in `evaluation` and `partial`. */
  readonly unknown: readonly string[];
  readonly provenance: EvaluationProvenance;
  /** Null where reviewers agree, or without a decision. It changes no reward. */
  readonly adjudication: TrialAdjudication | null;
  /** The three gates, with null for unknown. */
  readonly gates: readonly ValidityGate[];
  readonly issues: readonly EvaluationFault[];
}
