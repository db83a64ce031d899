export { describeUnread, readEvaluation, readEvaluations, type TrialToEvaluate } from "./read-evaluation";
