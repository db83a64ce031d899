/** Converts a trial of any source to its EvaluationResult, with the origin of each part. README.md has the mapping. */
export type { Provenance, TrialEvaluation } from "./types";
export { showEvaluation, type ShownEvaluation } from "./show-evaluation";
export { type EvaluatedTrial, writeEvaluation, writeEvaluationLine } from "./write-evaluation";
