export type { ReviewerChain, TrialAnnotations } from "./chain";
export { createAnnotation } from "./create";
export { prepareExport } from "./export-jsonl";
export { groupByName, matchJudgments, type TrialJudgments } from "./judgments-by-trial";
export { limitChains, type ShownChains } from "./limit-chains";
export { listAll, readAnnotationsState, readAnnotationsVersion, readHistory } from "./list";
export { type Actor, hashBrowserKey, listOthersOfAdmin, readOwnIds } from "./owner";
export {
  type AnnotationStore,
  getAnnotationStore,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "./store";
export { type CategorySuggestion, suggestCategories } from "./suggest-categories";
export { withdrawAnnotation } from "./withdraw";
export { parseReviewRequest, REVIEW_REQUESTS, type ReviewRequest } from "./review-request";
