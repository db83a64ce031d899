import { JUDGMENTS } from "@/lib/domain/judgment";
import { DECISION_BASES, type DecisionBasis } from "@/lib/domain/review";
import type { Judgment } from "@/lib/domain/judgment";

/** What a decision says; `open` leaves the conflict open on purpose, null is not chosen yet. */
export type DecisionChoice = Judgment | "open";

/** What is typed of a decision, without who decides. */
export interface DecisionContent {
  readonly choice: DecisionChoice | null;
  readonly basedOn: DecisionBasis | null;
  readonly categories: readonly string[];
  readonly reason: string;
  /** Null while the codebook is not said to be unclear. */
  readonly codebookNote: string | null;
}

/** A draft that is kept in the browser, with the decision that stood when it was begun. */
export interface KeptDecision extends DecisionContent {
  readonly base: string | null;
}

const PREFIX = "assay-decision:";
const CHOICES: readonly DecisionChoice[] = [...JUDGMENTS, "open"];

/** The draft kept for a conflict; null when there is none that can be read. */
export function readDecisionDraft(storageKey: string): KeptDecision | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + storageKey) ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const { choice, basedOn, categories, reason, codebookNote, base } = stored as Record<string, unknown>;
    return {
      choice: CHOICES.find((one) => one === choice) ?? null,
      basedOn: DECISION_BASES.find((one) => one === basedOn) ?? null,
      categories: Array.isArray(categories) ? categories.filter((one) => typeof one === "string") : [],
      reason: typeof reason === "string" ? reason : "",
      codebookNote: typeof codebookNote === "string" ? codebookNote : null,
      base: typeof base === "string" ? base : null,
    };
  } catch {
    return null;
  }
}

/** Keeps a draft until it is saved; null forgets it. */
export function keepDecisionDraft(storageKey: string, draft: KeptDecision | null): void {
  try {
    if (draft === null) localStorage.removeItem(PREFIX + storageKey);
    else localStorage.setItem(PREFIX + storageKey, JSON.stringify(draft));
  } catch {
    // Blocked or full: the text still stands in the form, and the status says that it is not saved.
  }
}
