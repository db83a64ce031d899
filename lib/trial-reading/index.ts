export { NO_DETAILS, type TrialDetails } from "./details";
export type { EvaluationRequest } from "./evaluation";
export type { FilesPanel, FilesRequest } from "./files";
export type { TrialPlace } from "./place";
export { closeReaders, readApart, unlessReadingFails } from "./read-apart";
export type { StepBlock } from "./step-blocks";
export type { FoldedSteps, StepView, TrajectoryMap, TrajectoryPanel } from "./steps";
export { NO_MAP, WINDOW_STEPS } from "./steps";
export type { Timeline } from "./timeline";
