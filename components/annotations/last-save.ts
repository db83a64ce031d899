"use client";

import { usePathname, useSearchParams } from "next/navigation";

import { announce } from "@/components/shell/announcer";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { buildHref } from "@/lib/pages/address/href";
import { undoReview, type ReviewResult } from "@/lib/pages/annotations/actions";
import type { ReviewRequest } from "@/lib/people/annotations";

import { forgetDraft } from "./draft-storage";

export interface LastSave {
  readonly undo: ReviewRequest<"undo">;
  readonly draftKey: string;
  readonly href: string;
  readonly words: string;
  readonly openedPath: string | null;
}

/** Returns null where the browser has no random UUIDs (a non-local, insecure origin); the store then makes one. */
export function makeSaveId(): string | null {
  return "randomUUID" in crypto ? crypto.randomUUID() : null;
}

let last: LastSave | null = null;
let arrival: { readonly draftKey: string; readonly words: string } | null = null;

export function rememberSave(save: Omit<LastSave, "openedPath">): void {
  last = { ...save, openedPath: null };
}

/** Records the page opened from a trial: only that page can undo the trial's judgment. */
export function noteWayOn(draftKey: string, nextHref: string): void {
  const openedPath = new URL(nextHref, location.origin).pathname;
  last = last?.draftKey === draftKey ? { ...last, openedPath } : null;
}

export function forgetLastSave(): void {
  last = null;
}

export function findLastSave(path: string, reviewerId: string): LastSave | null {
  const isOwn = last !== null && computeReviewerKey(last.undo.reviewerId) === computeReviewerKey(reviewerId);
  return isOwn && last?.openedPath === path ? last : null;
}

export async function undoLastSave({ undo, draftKey, href }: LastSave) {
  const result: ReviewResult = await undoReview(undo);
  if (result.status === "undone" || result.status === "conflict") forgetLastSave();
  if (result.status === "conflict") announce(`Nothing undone. ${result.message}`, { isShown: true });
  if (result.status !== "undone") return result;
  // Otherwise a draft kept while the next trial was sought would come back.
  forgetDraft(draftKey);
  arrival = { draftKey, words: "Undone: your judgment of this trial." };
  return { ...result, href: buildHref(href) };
}

export function takeArrivalWords(draftKey: string): string {
  const words = arrival?.draftKey === draftKey ? arrival.words : "";
  arrival = null;
  return words;
}

export function usePageAddress(): { readonly path: string; readonly href: string } {
  const path = usePathname();
  const search = useSearchParams().toString();
  return { path, href: search === "" ? path : `${path}?${search}` };
}
