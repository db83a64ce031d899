export { orderByFirst, type ReviewerChain, type TrialAnnotations } from "./chain";
export { createAnnotation } from "./create";
export { prepareExport, readExport, writeJsonLines } from "./export-jsonl";
export { importAnnotations, type ImportReport } from "./exchange/import";
export { writeLabelingConfig, writeLabelStudioTasks } from "./exchange/label-studio";
export { writeLangfuseScores } from "./exchange/langfuse";
export { addImportPart, beginImport, endImport, readStagedImport, type StagedKey } from "./exchange/staging";
export { prepareReviewerFiles } from "./exchange/per-reviewer";
export { groupByName, matchJudgments, type TrialJudgments } from "./judgments-by-trial";
export { limitChains, type ShownChains } from "./limit-chains";
export { listAll, readAnnotationsState, readAnnotationsVersion, readHistory } from "./list";
export { type Actor, hashBrowserKey, listOthersOfAdmin, readOwnIds, readOwnQueueIds } from "./owner";
export {
  ANNOTATION_STORE,
  type AnnotationStore,
  getAnnotationStore,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "./store";
export { withdrawAnnotation } from "./withdraw";
export {
  parseReviewRequest,
  REVIEW_REQUESTS,
  type ReviewRequest,
  type ReviewTarget,
  reviewTargetSchema,
} from "./review-request";
export { type CodebookChange, listTouched } from "./codebook/changes";
export { type FileProblem, formatCodebookFile } from "./codebook/file";
export {
  type CodebookHistory,
  followMerges,
  mapForward,
  resolveLabel,
  type StoredChange,
} from "./codebook/fold";
export { type CategoryForm, type CodebookForm, readCodebookForm, type SplitPart } from "./codebook/form";
export { importCodebook, type ImportResult } from "./codebook/import";
export { STARTERS, TOO_STRICT_CATEGORY } from "./codebook/starters";
export { changeCodebook, readCodebook } from "./codebook/verbs";
export type { Decision } from "./decisions/decision-rows";
export { decide, listDecisions, mayWithdraw, withdrawDecision } from "./decisions/decisions";
export { createDecisionFinder, type FindDecision, type Settled, settleJudgments } from "./decisions/settle";
export { DECISION_REQUESTS, type DecisionRequest } from "./decisions/request";
export { createQueue, MOST_ITEMS } from "./queues/create";
export { parseQueueDraw, parseQueueForm, type QueueDraw, type QueueForm } from "./queues/form";
export { type Lease, LEASE_MS } from "./queues/leases";
export { listQueues, type Queue, type QueueItem, readQueue } from "./queues/read";
export { describeUnreadableItems, type QueueHead, type UnreadableQueue } from "./queues/stored-queue";
export { closeQueue } from "./queues/close";
export { moveItem, releaseLease, renewLease, takeItem, takeNext } from "./queues/work";
export { type OpenItem, readQueueItem } from "./queues/read-item";
export { type Dismissal, readTriageNotes, type TriageChange, type TriageNotes } from "./triage/note-rows";
export { dismissFinding, isOwnChange, nameCluster, restoreFinding } from "./triage/notes";
export { answerSuggestion, readSuggestionAnswers, type StandingAnswer } from "./triage/answers";
export { mayUndoImport, readImportedTags, readTrialTags, undoTagImport } from "./tags/tags";
