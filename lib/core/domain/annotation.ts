import type { Judgment } from "./judgment";
import { findNameProblem, isInvisible } from "./name-problem";
import { type BlindPart, type Confidence, EVIDENCE_LIMITS, type EvidenceAnchor, readVerdict } from "./review";
import type { Outcome } from "./trial";

export interface TrialIdentity {
  readonly trialId: string | null;
  readonly jobUuid: string | null;
  readonly trialName: string;
  readonly jobName: string;
}

export interface AnnotationSubject extends TrialIdentity {
  readonly rootLabel: string;
  readonly taskName: string;
  readonly agent: string;
  readonly model: string | null;
  readonly outcomeSeen: Outcome;
  /** The headline reward as displayed; null if there was none, which is not 0. */
  readonly rewardSeen: string | null;
}

export interface AnnotationDraft {
  readonly reviewerId: string;
  readonly reviewerDiscipline: string | null;
  readonly judgment: Judgment | null;
  readonly categories: readonly string[];
  readonly notes: string | null;
  readonly confidence: Confidence | null;
  readonly evidence: readonly EvidenceAnchor[];
}

export interface QueuePlace {
  readonly queueId: string;
  readonly position: number;
}

type AnnotationStatus = "current" | "superseded" | "withdrawn";

export type SavedBy = "admin" | `import by ${string}`;

export interface Annotation {
  readonly versionId: string;
  /** From 1 per reviewer and trial. Withdrawals count, so numbers may be skipped. */
  readonly version: number;
  readonly subject: AnnotationSubject;
  readonly reviewerId: string;
  readonly reviewerDiscipline: string | null;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  readonly timestamp: string;
  readonly judgment: Judgment;
  readonly categories: readonly string[];
  readonly notes: string | null;
  readonly confidence: Confidence | null;
  readonly evidence: readonly EvidenceAnchor[];
  readonly queue: QueuePlace | null;
  readonly hidden: readonly BlindPart[] | null;
  readonly codebookVersion: number | null;
  readonly fingerprint: string | null;
  readonly status: AnnotationStatus;
  readonly withdrawnAt: string | null;
  /** Actor that saved or withdrew it in the reviewer's name; null for the reviewer. */
  readonly savedBy: SavedBy | null;
  readonly withdrawnBy: SavedBy | null;
}

/** Text lengths are in UTF-16 units. The limits stop accidents, not reviewers. */
export const DRAFT_LIMITS = {
  reviewerId: 80,
  reviewerDiscipline: 80,
  category: 80,
  categories: 32,
  notes: 20_000,
} as const;

type DraftField =
  | "reviewerId"
  | "reviewerDiscipline"
  | "judgment"
  | "categories"
  | "notes"
  | "confidence"
  | "evidence";

export type DraftProblems = Readonly<Partial<Record<DraftField, string>>>;

/** Validates a draft for form and store alike. A defer needs a reason, as a category or a note; pass and fail need none. */
export function findDraftProblems(draft: AnnotationDraft): DraftProblems {
  const problems: Partial<Record<DraftField, string>> = {};
  const nameProblem = findReviewerProblem(draft.reviewerId);
  if (nameProblem !== null) problems.reviewerId = nameProblem;
  if ((draft.reviewerDiscipline ?? "").length > DRAFT_LIMITS.reviewerDiscipline) {
    problems.reviewerDiscipline = tooLong(DRAFT_LIMITS.reviewerDiscipline);
  }
  if (draft.judgment === null) problems.judgment = "Choose pass, fail or defer.";
  const categoryProblem = findCategoryProblem(draft.categories);
  if (categoryProblem !== null) problems.categories = categoryProblem;
  const notes = draft.notes ?? "";
  if (notes.length > DRAFT_LIMITS.notes) problems.notes = tooLong(DRAFT_LIMITS.notes);
  if (draft.evidence.length > EVIDENCE_LIMITS.anchors)
    problems.evidence = `At most ${EVIDENCE_LIMITS.anchors} pieces of evidence.`;
  const hasReason = draft.categories.some((category) => category.trim() !== "") || notes.trim() !== "";
  if (draft.judgment === "defer" && !hasReason)
    problems.notes = "A defer needs a reason: choose a category or write a note.";
  return problems;
}

function findReviewerProblem(reviewerId: string): string | null {
  if (reviewerId.trim() === "") return "Enter your name (shown with the judgment).";
  return reviewerId.length > DRAFT_LIMITS.reviewerId
    ? tooLong(DRAFT_LIMITS.reviewerId)
    : findNameProblem(reviewerId);
}

function findCategoryProblem(categories: readonly string[]): string | null {
  if (categories.some((category) => category.length > DRAFT_LIMITS.category))
    return tooLong(DRAFT_LIMITS.category);
  if (categories.length > DRAFT_LIMITS.categories) return `At most ${DRAFT_LIMITS.categories} categories.`;
  return categories.flatMap((category) => findNameProblem(category) ?? [])[0] ?? null;
}

function tooLong(limit: number): string {
  return `At most ${limit.toLocaleString("en-US")} characters.`;
}

/** True if a judgment contradicts the scored outcome; never for a defer, nor for a trial without a verdict. */
export function disagreesWithVerifier(judgment: Judgment, outcome: Outcome): boolean {
  const verdict = readVerdict(outcome);
  return judgment !== "defer" && verdict !== null && (judgment === "pass") !== verdict;
}

/** True if the names are equal, and the ids where both sides have them, else the job names. */
export function isSameTrial(a: TrialIdentity, b: TrialIdentity): boolean {
  if (a.trialName !== b.trialName) return false;
  const sameTrialId = compareIds(a.trialId, b.trialId);
  const sameJobId = compareIds(a.jobUuid, b.jobUuid);
  if (sameTrialId === false || sameJobId === false) return false;
  return sameTrialId === true || sameJobId === true || a.jobName === b.jobName;
}

function compareIds(a: string | null, b: string | null): boolean | null {
  return a === null || b === null ? null : a === b;
}

/** Returns a key that ignores spaces, letter case and Unicode composition. Empty for a name without visible characters. */
export function computeReviewerKey(reviewerId: string): string {
  if (isInvisible(reviewerId)) return "";
  return reviewerId.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}
