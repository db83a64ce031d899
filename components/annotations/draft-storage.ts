import { readAccountName } from "@/components/shell/account-name";
import type { AnnotationDraft } from "@/lib/core/domain/annotation";
import { getBasePath } from "@/lib/core/domain/base-path";
import { type Judgment, JUDGMENTS } from "@/lib/core/domain/judgment";
import { formatReviewerName, NAME_COOKIE, parseReviewerName } from "@/lib/core/domain/request-marks";
import {
  ANCHOR_KINDS,
  CONFIDENCES,
  DECISION_BASES,
  type DecisionBasis,
  type EvidenceAnchor,
} from "@/lib/core/domain/review";

/** Key used by earlier releases. */
const REVIEWER_KEY = "assay-reviewer";
const NAME_DAYS = 400;
const DRAFT_PREFIX = "assay-draft:";
const DECISION_PREFIX = "assay-decision:";
const SAVE_PREFIX = "assay-save:";

export type Reviewer = Pick<AnnotationDraft, "reviewerId" | "reviewerDiscipline">;

export type DraftContent = Pick<
  AnnotationDraft,
  "judgment" | "categories" | "notes" | "confidence" | "evidence"
>;

interface KeptDraft extends DraftContent {
  readonly base: string | null;
  readonly refusal: string | null;
}

/** `open` leaves the conflict open on purpose; null is not chosen yet. */
export type DecisionChoice = Judgment | "open";

const CHOICES: readonly DecisionChoice[] = [...JUDGMENTS, "open"];

export interface DecisionContent {
  readonly choice: DecisionChoice | null;
  readonly basedOn: DecisionBasis | null;
  readonly categories: readonly string[];
  readonly reason: string;
  readonly codebookNote: string | null;
}

interface KeptDecision extends DecisionContent {
  readonly base: string | null;
}

export function readReviewer(): Reviewer {
  const cookie = document.cookie.split("; ").find((one) => one.startsWith(`${NAME_COOKIE}=`));
  const named = parseReviewerName(cookie?.slice(NAME_COOKIE.length + 1) ?? "");
  const reviewerId = readAccountName() ?? named.reviewerId;
  if (reviewerId !== "") return { ...named, reviewerId };
  const stored = readObject(REVIEWER_KEY);
  return {
    reviewerId: readText(stored, "reviewerId") ?? "",
    reviewerDiscipline: readText(stored, "reviewerDiscipline"),
  };
}

export function rememberReviewer(reviewer: Reviewer): void {
  const seconds = NAME_DAYS * 24 * 60 * 60;
  document.cookie = `${NAME_COOKIE}=${formatReviewerName(reviewer)}; path=${getBasePath() || "/"}; max-age=${seconds}; samesite=lax`;
}

export function readDraft(storageKey: string): KeptDraft | null {
  const stored = readObject(DRAFT_PREFIX + storageKey);
  if (stored === null) return null;
  return {
    judgment: JUDGMENTS.find((judgment) => judgment === stored["judgment"]) ?? null,
    categories: readTexts(stored["categories"]),
    notes: readText(stored, "notes"),
    confidence: CONFIDENCES.find((one) => one === stored["confidence"]) ?? null,
    evidence: readEvidence(stored["evidence"]),
    base: readText(stored, "base"),
    refusal: readText(stored, "refusal"),
  };
}

/** @param draft - null forgets it */
export function keepDraft(storageKey: string, draft: KeptDraft | null): void {
  keep(DRAFT_PREFIX + storageKey, draft);
}

export function readDecisionDraft(storageKey: string): KeptDecision | null {
  const stored = readObject(DECISION_PREFIX + storageKey);
  if (stored === null) return null;
  const { choice, basedOn, codebookNote } = stored;
  return {
    choice: CHOICES.find((one) => one === choice) ?? null,
    basedOn: DECISION_BASES.find((one) => one === basedOn) ?? null,
    categories: readTexts(stored["categories"]),
    reason: readText(stored, "reason") ?? "",
    codebookNote: typeof codebookNote === "string" ? codebookNote : null,
    base: readText(stored, "base"),
  };
}

/** @param draft - null forgets it */
export function keepDecisionDraft(storageKey: string, draft: KeptDecision | null): void {
  keep(DECISION_PREFIX + storageKey, draft);
}

interface KeptSave {
  readonly text: string;
  readonly saveId: string | null;
}

export function readSave(draftKey: string): KeptSave | null {
  const stored = readObject(SAVE_PREFIX + draftKey);
  const text = readText(stored, "text");
  return text === null ? null : { text, saveId: readText(stored, "saveId") };
}

/** @param save - null forgets it */
export function keepSave(draftKey: string, save: KeptSave | null): void {
  keep(SAVE_PREFIX + draftKey, save);
}

function keep(key: string, draft: object | null): void {
  try {
    if (draft === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Storage is blocked or full: the text stays in the form, and the status shows that it is unsaved.
  }
}

function readObject(key: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function readText(stored: Readonly<Record<string, unknown>> | null, key: string): string | null {
  const value = stored?.[key];
  return typeof value === "string" && value !== "" ? value : null;
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function readEvidence(value: unknown): readonly EvidenceAnchor[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): EvidenceAnchor[] => {
    if (typeof one !== "object" || one === null) return [];
    const fields: Readonly<Record<string, unknown>> = { ...one };
    const kind = ANCHOR_KINDS.find((known) => known === fields["kind"]);
    const place = readText(fields, "place");
    const line = typeof fields["line"] === "number" ? fields["line"] : null;
    if (kind === undefined || place === null) return [];
    return [{ kind, place, line, source: readText(fields, "source"), quote: readText(fields, "quote") }];
  });
}
