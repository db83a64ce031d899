/** From a trial of any source to its EvaluationResult, with where each part comes from. README.md has the mapping. */
export { describeUnread, readEvaluation, readEvaluations, type TrialToEvaluate } from "./read-evaluation";
export type { Provenance, TrialEvaluation } from "./types";
export { showEvaluation, type ShownEvaluation } from "./show-evaluation";
export { type EvaluatedTrial, writeEvaluation, writeEvaluationLine } from "./write-evaluation";
