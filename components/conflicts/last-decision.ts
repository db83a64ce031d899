"use client";

import { useSearchParams } from "next/navigation";

import { announce } from "@/components/shell/announcer";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { buildHref } from "@/lib/pages/address/href";
import { undoDecision } from "@/lib/pages/conflicts/actions";

export interface LastDecision {
  readonly decisionId: string;
  readonly decidedBy: string;
  readonly taskName: string;
  readonly storageKey: string;
  readonly href: string;
  readonly openedHref: string;
}

let last: LastDecision | null = null;
let arrival: { readonly storageKey: string; readonly words: string } | null = null;

/** Null if nothing was opened after it: its own page then undoes it. */
export function rememberDecision(decision: LastDecision | null): void {
  last = decision;
}

export function useLastDecision(decidedBy: string): LastDecision | null {
  const search = useSearchParams().toString();
  if (last === null || computeReviewerKey(last.decidedBy) !== computeReviewerKey(decidedBy)) return null;
  return new URL(last.openedHref, "http://localhost").searchParams.toString() === search ? last : null;
}

export async function undoLastDecision({ decisionId, taskName, storageKey, href }: LastDecision) {
  const result = await undoDecision({ decisionId });
  // Undone or replaced meanwhile: this page can no longer undo it.
  last = null;
  if (result.status !== "undone") {
    const why = "message" in result ? result.message : "";
    announce(`Nothing undone. ${why}`, { isShown: true });
    return null;
  }
  arrival = { storageKey, words: `Undone: your decision on ${taskName}.` };
  return buildHref(href);
}

export function describeDecision({ taskName }: LastDecision): string {
  return `Saved: your decision on ${taskName}.`;
}

export function announceArrival(storageKey: string, before: LastDecision | null): void {
  const undone = arrival?.storageKey === storageKey ? arrival.words : "";
  arrival = null;
  const saved = before === null ? "" : describeDecision(before);
  announce(undone === "" ? saved : undone, { isShown: undone !== "" });
}
