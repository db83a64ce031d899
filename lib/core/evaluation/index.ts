/**
 * The evaluation contract: rubrics, validity gates and evaluation results, read and checked as in the reference implementation.
 * Pure: bytes and values in, values or issues out, nothing thrown. Depends on the scoring core and zod alone. README.md lists
 * where it is stricter. Import from this file only.
 */

// Reading and checking
export {
  parseAnnotation,
  parseConfidence,
  parseDimensionScore,
  parseErrorTag,
  parseEvaluationResult,
  parseFeedbackAnnotation,
  parseRubric,
  parseRubricDimension,
  parseRubricResult,
  parseVerifierSpec,
} from "./parse";
export { ingestVerifierArtifacts, type VerifierArtifacts } from "./ingest";
export { findOutputPath } from "./output-path";
export type { Strictness } from "./strictness";
export type {
  Annotation,
  ConfidenceMetadata,
  ErrorTag,
  EvaluationResult,
  FeedbackAnnotation,
  ValidityCheck,
  VerifierSpec,
} from "./models";
export type { DimensionScore, Rubric, RubricCriterion, RubricDimension, RubricResult } from "./rubric-models";
export type {
  Contract,
  ContractOptions,
  ErrorSource,
  EvaluationIssue,
  JsonObject,
  JsonValue,
  Judgment,
  Parsed,
  ParseOptions,
} from "./types";

// Rubrics
export {
  scoreRubric,
  toRubricDetails,
  type RubricToScore,
  type ScoredDimension,
  type ScoredRubric,
  type ScoreToRoll,
} from "./score-rubric";
export {
  computeRewardChange,
  fitRubric,
  listStatedWeights,
  recomputeReward,
  type Rollup,
  type RubricFit,
  type RubricWeights,
  type StatedDimension,
} from "./rubric-fit";

// Reviewers
export {
  agreementOf,
  confidenceOf,
  resolveAdjudication,
  type AdjudicationDecision,
  type AdjudicationRecord,
  type AdjudicationStatus,
  type JudgedTrial,
} from "./adjudication";
export { calibrate, type Calibration, type CalibrationCase, type CalibrationOptions } from "./calibration";
