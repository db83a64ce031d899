export { orderByFirst, type ReviewerChain, type TrialAnnotations } from "./chain";
export { createAnnotation, withdrawAnnotation } from "./create";
export { prepareExport, readExport, writeJsonLines } from "./export-jsonl";
export { importAnnotations, type ImportReport } from "./exchange/import";
export { writeLabelingConfig, writeLabelStudioTasks } from "./exchange/label-studio";
export { writeLangfuseScores } from "./exchange/langfuse";
export { addImportPart, beginImport, endImport, readStagedImport, type StagedKey } from "./exchange/staging";
export { prepareReviewerFiles } from "./exchange/per-reviewer";
export {
  createDecisionFinder,
  type FindDecision,
  groupByName,
  matchJudgments,
  type Settled,
  settleJudgments,
  type TrialJudgments,
} from "./judgments-by-trial";
export { limitChains, type ShownChains } from "./limit-chains";
export { listAll, readAnnotationsState, readAnnotationsVersion, readHistory } from "./list";
export {
  type Actor,
  hashBrowserKey,
  listOthersOfAdmin,
  mayChange,
  readOwnIds,
  readOwnQueueIds,
} from "./owner";
export {
  ANNOTATION_STORE,
  type AnnotationStore,
  getAnnotationStore,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "./store";
export {
  DECISION_REQUESTS,
  type DecisionRequest,
  parseReviewRequest,
  REVIEW_REQUESTS,
  type ReviewRequest,
  type ReviewTarget,
  reviewTargetSchema,
} from "./review-request";
export { type CodebookChange, listTouched } from "./codebook/changes";
export { type FileProblem, formatCodebookFile, importCodebook, type ImportResult } from "./codebook/file";
export {
  type CodebookHistory,
  followMerges,
  mapForward,
  resolveLabel,
  type StoredChange,
} from "./codebook/fold";
export {
  type CategoryForm,
  changeCodebook,
  type CodebookForm,
  readCodebook,
  readCodebookForm,
  type SplitPart,
} from "./codebook/verbs";
export { STARTERS, TOO_STRICT_CATEGORY } from "./codebook/starters";
export { decide, type Decision, listDecisions, mayWithdraw, withdrawDecision } from "./decisions/decisions";
export {
  createQueue,
  MOST_ITEMS,
  parseQueueDraw,
  parseQueueForm,
  type QueueDraw,
  type QueueForm,
} from "./queues/create";
export { type Lease, LEASE_MS } from "./queues/leases";
export {
  listQueues,
  type OpenItem,
  type Queue,
  type QueueItem,
  readQueue,
  readQueueItem,
} from "./queues/read";
export { describeUnreadableItems, type QueueHead, type UnreadableQueue } from "./queues/stored-queue";
export { closeQueue, moveItem, releaseLease, renewLease, takeItem, takeNext } from "./queues/work";
export {
  type Dismissal,
  dismissFinding,
  isOwnChange,
  nameCluster,
  readTriageNotes,
  restoreFinding,
  type TriageChange,
  type TriageNotes,
} from "./triage/notes";
export { answerSuggestion, readSuggestionAnswers, type StandingAnswer } from "./triage/answers";
export { readImportedTags, readTrialTags, undoTagImport } from "./tags/tags";
