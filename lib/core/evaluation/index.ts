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
export { ingestVerifierArtifacts } from "./ingest";
export { findOutputPath } from "./output-path";
export type { Strictness } from "./strictness";
export type { Annotation, ConfidenceMetadata, ErrorTag, EvaluationResult } from "./models";
export type { Contract, EvaluationIssue, JsonObject, Judgment, Parsed } from "./types";

// Rubrics
export { scoreRubric, toRubricDetails, type RubricToScore, type ScoreToRoll } from "./score-rubric";
export {
  computeRewardChange,
  fitRubric,
  listStatedWeights,
  recomputeReward,
  type RubricWeights,
  type StatedDimension,
} from "./rubric-fit";

// Reviewers
export { agreementOf, confidenceOf, resolveAdjudication } from "./adjudication";
export { calibrate } from "./calibration";
