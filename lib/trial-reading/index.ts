export { NO_DETAILS, type TrialDetails } from "./details";
export type { Found, FindRequest } from "./find";
export type { FilesPanel, FilesRequest } from "./files";
export type { TrialPlace } from "./place";
export { closeReaders, readApart, unlessReadingFails } from "./read-apart";
export type { StepBlock } from "./step-blocks";
export {
  type FoldedSteps,
  NO_TRAJECTORY,
  prepareSteps,
  type StepsRequest,
  type StepView,
  type TrialSteps,
} from "./steps";
export type { Timeline } from "./timeline";
export type { EvaluationRequest, TrialReading } from "./trial";
