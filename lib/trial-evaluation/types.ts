import type { ValidityGate } from "@/lib/domain/breakdown";
import type { EvaluationResult } from "@/lib/evaluation";

/** Where a part of an evaluation comes from. */
export interface Provenance {
  /** File relative to the trial folder, `assay` for what reviewers said here, null where nothing states it. */
  readonly from: string | null;
  /** One sentence: how it was taken from there. */
  readonly rule: string;
}

/** Where an annotation comes from. */
export interface AnnotationProvenance extends Provenance {
  /** Version of the judgment in Assay's own store; null for one that a file records. */
  readonly versionId: string | null;
}

/** Where each part comes from; the lists run beside those of the evaluation. */
export interface EvaluationProvenance {
  readonly reward: Provenance;
  readonly output_parseable: Provenance;
  readonly schema_valid: Provenance;
  readonly verifier_completed: Provenance;
  readonly breakdown: Provenance;
  readonly error_taxonomy: readonly Provenance[];
  readonly confidence: Provenance;
  readonly annotations: readonly AnnotationProvenance[];
}

/** Why a trial has no evaluation, or which part of it could not be taken over. */
export interface EvaluationFault {
  /** Of the contract (`value_error`, `JSONDecodeError` ...), of the load report, or one of the mapping's own. */
  readonly code: string;
  /** Field of the evaluation, such as `reward`; empty for the evaluation as a whole. */
  readonly field: string;
  /** File relative to the trial folder; null where none is to blame. */
  readonly file: string | null;
  readonly message: string;
}

/** What the evaluation contract says of one trial. */
export interface TrialEvaluation {
  /** Valid by the contract. Null: there is none, which is neither a reward of 0 nor a failure; `issues` say why. */
  readonly evaluation: EvaluationResult | null;
  /** Paths of fields that nothing states: the contract asks for a value there, and the one that stands there says nothing. */
  readonly unknown: readonly string[];
  readonly provenance: EvaluationProvenance;
  /** The three gates, with null for unknown. */
  readonly gates: readonly ValidityGate[];
  readonly issues: readonly EvaluationFault[];
}
