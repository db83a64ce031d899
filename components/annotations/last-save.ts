"use client";

import { usePathname, useSearchParams } from "next/navigation";

import { announce } from "@/components/shell/announcer";
import { undoReview, type ReviewResult } from "@/lib/actions/annotations";
import { buildHref } from "@/lib/addresses/href";
import type { ReviewRequest } from "@/lib/annotations";
import { computeReviewerKey } from "@/lib/domain/annotation";

import { forgetDraft } from "./draft-storage";

/** The judgment saved last in this window. */
export interface LastSave {
  readonly undo: ReviewRequest<"undo">;
  readonly draftKey: string;
  /** Address of the trial, as it was judged. */
  readonly href: string;
  /** What was saved, in a sentence. */
  readonly words: string;
  /** Path of the page that was opened after it; null while nobody went on. */
  readonly openedPath: string | null;
}

/** Null where the browser has no random UUIDs (an address that is neither local nor secure); the store then makes one. */
export function makeSaveId(): string | null {
  return "randomUUID" in crypto ? crypto.randomUUID() : null;
}

let last: LastSave | null = null;
/** What is said once the trial is open whose judgment was undone from the page after it. */
let arrival: { readonly draftKey: string; readonly words: string } | null = null;

/** Remembers the judgment saved last. */
export function rememberSave(save: Omit<LastSave, "openedPath">): void {
  last = { ...save, openedPath: null };
}

/** Notes which page was opened from a trial: from that page its judgment can be undone, and no earlier one. */
export function noteWayOn(draftKey: string, nextHref: string): void {
  const openedPath = new URL(nextHref, location.origin).pathname;
  last = last?.draftKey === draftKey ? { ...last, openedPath } : null;
}

/** Forgets the judgment saved last: it was undone. */
export function forgetLastSave(): void {
  last = null;
}

/** The judgment that led to the page at this path, if it is this reviewer's; null where the page was opened otherwise. */
export function findLastSave(path: string, reviewerId: string): LastSave | null {
  const isOwn = last !== null && computeReviewerKey(last.undo.reviewerId) === computeReviewerKey(reviewerId);
  return isOwn && last?.openedPath === path ? last : null;
}

/**
 * Undoes the judgment that led to this page.
 *
 * @returns `undone` with the address of its trial, or what stood in the way; a judgment that was undone or replaced meanwhile is
 *   forgotten
 */
export async function undoLastSave({ undo, draftKey, href }: LastSave) {
  const result: ReviewResult = await undoReview(undo);
  if (result.status === "undone" || result.status === "conflict") forgetLastSave();
  if (result.status === "conflict") announce(`Nothing undone. ${result.message}`, { isShown: true });
  if (result.status !== "undone") return result;
  // Kept while the way on was sought, it would come back as a draft.
  forgetDraft(draftKey);
  arrival = { draftKey, words: "Undone: your judgment of this trial." };
  return { ...result, href: buildHref(href) };
}

/** What is to be said as this trial is opened; empty, but after an undo from the page after it. */
export function takeArrivalWords(draftKey: string): string {
  const words = arrival?.draftKey === draftKey ? arrival.words : "";
  arrival = null;
  return words;
}

/** Address of the open page, without the base path. */
export function usePageAddress(): { readonly path: string; readonly href: string } {
  const path = usePathname();
  const search = useSearchParams().toString();
  return { path, href: search === "" ? path : `${path}?${search}` };
}
