"use client";

import { usePathname, useSearchParams } from "next/navigation";

import { announce } from "@/components/shell/announcer";
import { isFailure } from "@/components/shell/use-action";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { buildHref } from "@/lib/pages/address/href";
import type { ActionFailure } from "@/lib/pages/shell/act";

/** The last judgment or decision of this browser, which the page opened from its own can still undo. */
export interface LastStatement {
  readonly author: string;
  readonly draftKey: string;
  readonly href: string;
  readonly words: string;
  readonly undoneWords: string;
  readonly undo: () => Promise<{ readonly status: "undone" } | ActionFailure>;
}

let last: (LastStatement & { readonly opened: URL | null }) | null = null;
let arrival: { readonly draftKey: string; readonly words: string } | null = null;

export function rememberStatement(statement: LastStatement | null): void {
  last = statement && { ...statement, opened: null };
}

/** Records the page opened from a trial or conflict: only that page can undo what was said there. */
export function noteWayOn(draftKey: string, nextHref: string): void {
  last = last?.draftKey === draftKey ? { ...last, opened: new URL(nextHref, location.origin) } : null;
}

/** @param isOpen - true for the address of the current page */
export function findLastStatement(author: string, isOpen: (opened: URL) => boolean): LastStatement | null {
  if (last === null || computeReviewerKey(last.author) !== computeReviewerKey(author)) return null;
  return last.opened !== null && isOpen(last.opened) ? last : null;
}

export async function undoLastStatement({ undo, draftKey, href, undoneWords }: LastStatement) {
  const result = await undo();
  if (!isFailure(result) || result.status === "conflict") last = null;
  if (isFailure(result)) {
    if (result.status === "conflict") announce(`Not undone. ${result.message}`, { isShown: true });
    return result;
  }
  arrival = { draftKey, words: undoneWords };
  return { ...result, href: buildHref(href) };
}

/** Announces what was undone from the page before; else what was saved there, and `place`. */
export function announceArrival(draftKey: string, before: LastStatement | null, place = ""): void {
  const undone = arrival?.draftKey === draftKey ? arrival.words : "";
  arrival = null;
  const saved = undone === "" ? (before?.words ?? "") : "";
  announce([undone, saved, place].filter((words) => words !== "").join(" "), { isShown: undone !== "" });
}

export function usePageAddress() {
  const path = usePathname();
  const search = useSearchParams().toString();
  return { path, search, href: search === "" ? path : `${path}?${search}` };
}
