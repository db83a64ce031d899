"use client";

import { useSearchParams } from "next/navigation";

import { announce } from "@/components/shell/announcer";
import { undoDecision } from "@/lib/actions/decisions";
import { buildHref } from "@/lib/addresses/href";
import { computeReviewerKey } from "@/lib/domain/annotation";

/** The decision saved last in this window, and the conflict that was opened after it. */
export interface LastDecision {
  readonly decisionId: string;
  readonly decidedBy: string;
  readonly taskName: string;
  readonly storageKey: string;
  /** Address of its conflict. */
  readonly href: string;
  /** Address that was opened after it. */
  readonly openedHref: string;
}

let last: LastDecision | null = null;
/** What is said once the conflict is open again whose decision was undone from the one after it. */
let arrival: { readonly storageKey: string; readonly words: string } | null = null;

/** Remembers the decision saved last; null where nothing was opened after it, so that its own page undoes it. */
export function rememberDecision(decision: LastDecision | null): void {
  last = decision;
}

/** The decision that led to the open conflict, if it is this decider's; null where it was opened otherwise. */
export function useLastDecision(decidedBy: string): LastDecision | null {
  const search = useSearchParams().toString();
  if (last === null || computeReviewerKey(last.decidedBy) !== computeReviewerKey(decidedBy)) return null;
  return new URL(last.openedHref, "http://localhost").searchParams.toString() === search ? last : null;
}

/** Undoes the decision that led to the open conflict. @returns the address of its own; null where it was not undone, which is said then */
export async function undoLastDecision({ decisionId, taskName, storageKey, href }: LastDecision) {
  const result = await undoDecision({ decisionId });
  // Undone or replaced meanwhile, it is nothing that this page could undo.
  last = null;
  if (result.status !== "undone") {
    const why = "message" in result ? result.message : "";
    announce(`Nothing undone. ${why}`, { isShown: true });
    return null;
  }
  arrival = { storageKey, words: `Undone: your decision on ${taskName}.` };
  return buildHref(href);
}

/** What was saved, in a sentence. */
export function describeDecision({ taskName }: LastDecision): string {
  return `Saved: your decision on ${taskName}.`;
}

/** Says what was undone or saved before this conflict was opened by it; nothing of another one. */
export function announceArrival(storageKey: string, before: LastDecision | null): void {
  const undone = arrival?.storageKey === storageKey ? arrival.words : "";
  arrival = null;
  const saved = before === null ? "" : describeDecision(before);
  announce(undone === "" ? saved : undone, { isShown: undone !== "" });
}
