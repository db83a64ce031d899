import type { Judgment } from "./judgment";
import { type BlindPart, type Confidence, EVIDENCE_LIMITS, type EvidenceAnchor, readVerdict } from "./review";
import { findNameProblem, isInvisible } from "./name-problem";
import type { Outcome } from "./trial";

/** What names a trial wherever its folder lies. Ids are null when no result or config states them. */
export interface TrialIdentity {
  readonly trialId: string | null;
  readonly jobUuid: string | null;
  readonly trialName: string;
  readonly jobName: string;
}

/** The trial that was judged and what the reviewer was shown of it. Display fields are as they were at that moment. */
export interface AnnotationSubject extends TrialIdentity {
  readonly rootLabel: string;
  readonly taskName: string;
  readonly agent: string;
  readonly model: string | null;
  readonly outcomeSeen: Outcome;
  /** The headline reward as the page printed it; null when there was none, which is not 0. */
  readonly rewardSeen: string | null;
}

export interface AnnotationDraft {
  readonly reviewerId: string;
  readonly reviewerDiscipline: string | null;
  readonly judgment: Judgment | null;
  readonly categories: readonly string[];
  readonly notes: string | null;
  readonly confidence: Confidence | null;
  /** In the order in which the places were attached. */
  readonly evidence: readonly EvidenceAnchor[];
}

/** The trial of a queue that a judgment was saved for. */
export interface QueuePlace {
  readonly queueId: string;
  /** Place of the trial in its queue, from 0. */
  readonly position: number;
}

/** `current`: counts. `superseded`: the same reviewer saved a later version. `withdrawn`: undone. */
export type AnnotationStatus = "current" | "superseded" | "withdrawn";

/** Who acts in a reviewer's name: an admin, or the account that imported it from a file, whose name follows. */
export type SavedBy = "admin" | `import by ${string}`;

/** One saved version of one reviewer's judgment of one trial. Versions are only ever added. */
export interface Annotation {
  readonly versionId: string;
  /** 1 for the reviewer's first event on this trial; withdrawals count, so numbers may be skipped. */
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
  /** Null where it was saved outside of queues. */
  readonly queue: QueuePlace | null;
  /** What the page hid from the reviewer until this was saved; null where it was saved outside of queues. */
  readonly hidden: readonly BlindPart[] | null;
  /** Version of the codebook that the categories are of; null for judgments older than codebooks. */
  readonly codebookVersion: number | null;
  /** What the trial's files held, as `formatFingerprint` writes it; null where it was not known. */
  readonly fingerprint: string | null;
  readonly status: AnnotationStatus;
  /** When it was undone, as `timestamp`; null unless `status` is `withdrawn`. */
  readonly withdrawnAt: string | null;
  /** Who saved it, and who took it back, in the reviewer's name; null for the reviewer. */
  readonly savedBy: SavedBy | null;
  readonly withdrawnBy: SavedBy | null;
  /** Version of the stored record's shape. */
  readonly schemaVersion: number;
}

/** Longest texts a draft may hold, in UTF-16 units, and the most categories. Generous: they stop accidents, not reviewers. */
export const DRAFT_LIMITS = {
  reviewerId: 80,
  reviewerDiscipline: 80,
  category: 80,
  categories: 32,
  notes: 20_000,
} as const;

export type DraftField =
  | "reviewerId"
  | "reviewerDiscipline"
  | "judgment"
  | "categories"
  | "notes"
  | "confidence"
  | "evidence";

/** The sentence to show beside each field that is wrong; empty when the draft can be saved. */
export type DraftProblems = Readonly<Partial<Record<DraftField, string>>>;

/**
 * The rules of a draft, for form and store alike. A defer needs a reason, as a category or a note; pass and fail need none.
 */
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
    problems.evidence = `At most ${String(EVIDENCE_LIMITS.anchors)} pieces of evidence.`;
  const hasReason = draft.categories.some((category) => category.trim() !== "") || notes.trim() !== "";
  if (draft.judgment === "defer" && !hasReason)
    problems.notes = "A defer needs a reason: choose a category or write a note.";
  return problems;
}

function findReviewerProblem(reviewerId: string): string | null {
  if (reviewerId.trim() === "") return "Enter your name: it is shown with the judgment.";
  return reviewerId.length > DRAFT_LIMITS.reviewerId
    ? tooLong(DRAFT_LIMITS.reviewerId)
    : findNameProblem(reviewerId);
}

function findCategoryProblem(categories: readonly string[]): string | null {
  if (categories.some((category) => category.length > DRAFT_LIMITS.category))
    return tooLong(DRAFT_LIMITS.category);
  if (categories.length > DRAFT_LIMITS.categories)
    return `At most ${String(DRAFT_LIMITS.categories)} categories.`;
  return categories.flatMap((category) => findNameProblem(category) ?? [])[0] ?? null;
}

function tooLong(limit: number): string {
  return `At most ${limit.toLocaleString("en-US")} characters.`;
}

/**
 * Whether a reviewer contradicts the scored outcome. A defer never does, nor does anything about a trial without a verdict.
 */
export function disagreesWithVerifier(judgment: Judgment, outcome: Outcome): boolean {
  const verdict = readVerdict(outcome);
  return judgment !== "defer" && verdict !== null && (judgment === "pass") !== verdict;
}

/**
 * Whether two records name the same trial: the name must be equal, and ids where both sides know them, else the job's name.
 */
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

/**
 * The same reviewer however the name was typed: spaces, letter case and Unicode composition do not matter. Empty for a name of which
 * nothing can be seen, which is none.
 */
export function computeReviewerKey(reviewerId: string): string {
  if (isInvisible(reviewerId)) return "";
  return reviewerId.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}
