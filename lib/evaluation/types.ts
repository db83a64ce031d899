import type { Strictness } from "./strictness";

/** A value of JSON. Numbers are doubles: integers beyond 2**53 are rounded, as JSON.parse rounds them. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** An object of JSON; `__proto__` is a key like any other. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** One reason why a value is not what the contract asks for. */
export interface EvaluationIssue {
  /** Keys and positions from the value down to what is wrong; empty for the value as a whole. */
  readonly path: readonly (string | number)[];
  /** pydantic's type of the error (`missing`, `value_error` ...), or the Python exception that the reference raises. */
  readonly code: string;
  /** The reference's own words. */
  readonly message: string;
}

/** What every parse gives. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly EvaluationIssue[] };

/** The version of the contract: the one that the scoring page describes, or the newest. */
export type Contract = "seed" | "head";

/** Options of every parse. */
export interface ParseOptions {
  /** Default `default`. */
  readonly strictness?: Strictness | undefined;
}

/** Options where the two versions of the contract differ. */
export interface ContractOptions extends ParseOptions {
  /** Default `seed`. `head` refuses a reward above 0 for every invalid output, `seed` only for an unparseable one. */
  readonly contract?: Contract | undefined;
}

/** A reviewer's verdict; `defer` says that the reviewer cannot tell. */
export type Judgment = "pass" | "fail" | "defer";

/** Who found an error: the runner, a reviewer, or an automated judge. */
export type ErrorSource = "mechanical" | "human" | "judge";

/** Whether the output was fit for scoring. Only `output_parseable` (`head`: `schema_valid` too) bears on the reward. */
export interface ValidityCheck {
  output_parseable: boolean;
  schema_valid: boolean;
  verifier_completed: boolean;
  errors: string[];
}

/** A classified failure; categories are free text. */
export interface ErrorTag {
  category: string;
  description: string | null;
  source: ErrorSource;
}

/** One reviewer's judgment, which never changes the reward. */
export interface Annotation {
  reviewer_id: string;
  reviewer_discipline: string | null;
  /** ISO 8601 with microseconds where there are any; without an offset where none was given. */
  timestamp: string;
  judgment: Judgment;
  categories: string[];
  notes: string | null;
}

/** How far a classification may be trusted; null is unknown. */
export interface ConfidenceMetadata {
  annotator_count: number | null;
  /** From 0 to 1. */
  inter_rater_agreement: number | null;
  confidence_interval: [low: number, high: number] | null;
  confidence_method: string | null;
}

/** A trial's validated evaluation. */
export interface EvaluationResult {
  /** From 0 to 1, as the verifier wrote it. */
  reward: number;
  validity: ValidityCheck;
  /** details.json as it is; nothing inside is validated. */
  breakdown: JsonObject | null;
  /** `[]` says that there are none, null that nobody looked. */
  error_taxonomy: ErrorTag[] | null;
  confidence: ConfidenceMetadata | null;
  annotations: Annotation[] | null;
  /** Only of the newest contract, and only where it is not null. */
  stewardship?: JsonObject;
}

/** What a task says of its verifier. */
export interface VerifierSpec {
  script: string;
  expected_output_path: string;
  reward_path: string;
  details_path: string | null;
}

/** One thing that a judge looks for. */
export interface RubricCriterion {
  text: string;
  category: string;
}

/** One dimension of a rubric. Weights and scores have no limits. */
export interface RubricDimension {
  id: string;
  name: string;
  description: string;
  weight: number;
  max_score: number;
  eval_method: string;
  criteria: RubricCriterion[];
  eval_sections: string[];
  eval_references: string[];
  expert_persona: string;
}

/** A rubric; `min` takes the worst dimension, any other strategy is the weighted mean. */
export interface Rubric {
  dimensions: RubricDimension[];
  rollup_strategy: string;
}

/** What was given for one dimension. */
export interface DimensionScore {
  dimension_id: string;
  score: number;
  max_score: number;
  evidence: string;
  eval_method_used: string;
  satisfied: string[];
  unsatisfied: string[];
}

/** A scored rubric as it is stored; the reward has no limits here. */
export interface RubricResult {
  dimension_scores: DimensionScore[];
  reward: number;
  rollup_strategy: string;
}

/** A reviewer's annotation as the review store keeps it. */
export interface FeedbackAnnotation {
  annotation_id: string;
  trial_id: string;
  experiment_id: string;
  task_id: string;
  task_visibility: "public" | "holdout";
  reviewer_id: string;
  reviewer_discipline: string;
  judgment: Judgment;
  categories: string[];
  notes: string | null;
  created_at: string;
  is_calibration: boolean;
  calibration_version: string | null;
}
