import { JUDGMENTS } from "@/lib/core/domain/judgment";
import type { Judgment } from "@/lib/core/domain/judgment";
import { DECISION_BASES, type DecisionBasis } from "@/lib/core/domain/review";

/** `open` leaves the conflict open on purpose; null is not chosen yet. */
export type DecisionChoice = Judgment | "open";

export interface DecisionContent {
  readonly choice: DecisionChoice | null;
  readonly basedOn: DecisionBasis | null;
  readonly categories: readonly string[];
  readonly reason: string;
  readonly codebookNote: string | null;
}

export interface KeptDecision extends DecisionContent {
  readonly base: string | null;
}

const PREFIX = "assay-decision:";
const CHOICES: readonly DecisionChoice[] = [...JUDGMENTS, "open"];

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

export function keepDecisionDraft(storageKey: string, draft: KeptDecision | null): void {
  try {
    if (draft === null) localStorage.removeItem(PREFIX + storageKey);
    else localStorage.setItem(PREFIX + storageKey, JSON.stringify(draft));
  } catch {
    // Storage is blocked or full: the text stays in the form, and the status shows that it is unsaved.
  }
}
