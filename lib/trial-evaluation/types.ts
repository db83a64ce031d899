import type { SavedBy } from "@/lib/domain/annotation";
import type { ValidityGate } from "@/lib/domain/breakdown";
import type { EvaluationResult, Judgment } from "@/lib/evaluation";

export interface Provenance {
  /** File relative to the trial folder, `assay` for what reviewers said here, null where nothing states it. */
  readonly from: string | null;
  /** One sentence: how it was taken from there. */
  readonly rule: string;
}

export interface AnnotationProvenance extends Provenance {
  /** Version of the judgment in Assay's own store; null for one that a file records. */
  readonly versionId: string | null;
  /** Who saved that version in the reviewer's name; null for the reviewer, and for a judgment that a file records. */
  readonly savedBy: SavedBy | null;
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

/** What somebody decided over the reviewers of a trial; see `Decision` of the annotations. */
export interface TrialDecision {
  readonly decisionId: string;
  /** Null where it is left open on purpose. */
  readonly finalJudgment: Judgment | null;
  readonly categories: readonly string[];
  readonly reason: string;
  readonly decidedBy: string;
  /** UTC, ISO 8601. */
  readonly decidedAt: string;
  /** Ids of the judgments that were decided over. */
  readonly sources: readonly string[];
}

/** A decision that counts: over reviewers who differ. */
export interface TrialAdjudication {
  readonly status: "adjudicated" | "contested";
  readonly decision: TrialDecision;
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

type Gates = Pick<EvaluationResult["validity"], "output_parseable" | "schema_valid" | "verifier_completed">;

/** An evaluation with null at an unknown gate, which every reader of the contract refuses. */
export interface PartialEvaluation extends Omit<EvaluationResult, "validity"> {
  readonly validity: { readonly [Gate in keyof Gates]: boolean | null } & Pick<
    EvaluationResult["validity"],
    "errors"
  >;
}

/** What the evaluation contract says of one trial. At most one of `evaluation` and `partial` is there. */
export interface TrialEvaluation {
  /** Valid by the contract, every gate known. Null: there is none, which is neither a reward of 0 nor a failure. */
  readonly evaluation: EvaluationResult | null;
  /** What is known where only gates keep it from being an evaluation. Where both are null `issues` say why. */
  readonly partial: PartialEvaluation | null;
  /** Paths of fields that nothing states; each is null in `evaluation` and `partial`. */
  readonly unknown: readonly string[];
  readonly provenance: EvaluationProvenance;
  /** Null where reviewers agree, or nobody decided. It changes no reward. */
  readonly adjudication: TrialAdjudication | null;
  /** The three gates, with null for unknown. */
  readonly gates: readonly ValidityGate[];
  readonly issues: readonly EvaluationFault[];
}
