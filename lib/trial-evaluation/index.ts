/** From a trial of any source to its EvaluationResult, with where each part comes from. README.md has the mapping. */
export { readEvaluation, readEvaluations, type TrialToEvaluate } from "./read-evaluation";
export type { EvaluationFault, Provenance, PartialEvaluation, TrialEvaluation } from "./types";
export { type EvaluatedTrial, prepareEvaluation, writeEvaluationLine } from "./write-evaluation";
