"use client";

import { useRouter } from "next/navigation";
import { useRef, useState, startTransition, useActionState } from "react";

import { useHeldRenewals } from "@/components/shell/live-state";
import { findNextReview, saveReview, undoReview, type ReviewResult } from "@/lib/actions/annotations";
import { buildHref } from "@/lib/addresses/href";
import { findDraftProblems, type AnnotationDraft, type DraftProblems } from "@/lib/domain/annotation";
import type { ReviewState } from "@/lib/queries/annotations/review";

import { listChips, toggleCategory } from "./category-chips";
import type { DraftContent } from "./draft-storage";
import { toContent, useReviewDraft, type ReviewDraft } from "./use-review-draft";
import { useReviewKeys } from "./use-review-keys";

const NO_PROBLEMS: DraftProblems = {};

/** Everything the review form does: typing, saving, stepping back, keys. */
export function useReviewForm(review: ReviewState, inBrowser: boolean) {
  const form = useReviewDraft(review, inBrowser);
  const { answer, isPending, save, undo } = useReviewSave(review, form);
  const [wasTried, setTried] = useState(false);
  const [discarded, setDiscarded] = useState<DraftContent | null>(null);
  const categoryInput = useRef<HTMLInputElement>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const { draft, isDirty, mine } = form;
  // As they were when the form opened: a save must not reorder the chips under the pointer.
  const [categories] = useState(review.categories);
  const suggestions = categories[draft.judgment ?? "fail"];

  function change(next: Partial<AnnotationDraft>) {
    setDiscarded(null);
    form.change(next);
  }
  function trySave(thenNext: boolean) {
    if (isPending) return;
    // Going on without a change needs no judgment: a trial may be passed over.
    const problems = thenNext && !isDirty ? NO_PROBLEMS : findDraftProblems(draft);
    const isRefused = Object.keys(problems).length > 0;
    setTried(isRefused);
    if (!isRefused) {
      if (isDirty || thenNext) save(thenNext);
    } else if (problems.reviewerId !== undefined) document.getElementById("review-name")?.focus();
    else if (problems.notes !== undefined) note.current?.focus();
  }
  /** Saves on top of what came from another window, which the reviewer has seen. */
  function keepMine() {
    if (!isPending) save(false, mine?.headVersionId ?? null);
  }
  function stepBack() {
    if (isPending) return;
    if (isDirty) {
      setDiscarded(toContent(draft));
      form.take(toContent(mine?.current ?? null));
      setTried(false);
    } else if (discarded !== null) change(discarded);
    else if (mine?.current) undo();
  }
  useReviewKeys({
    judge: (judgment) => change({ judgment }),
    toggleCategory: (index) => {
      const label = listChips(suggestions, draft.categories)[index];
      if (label !== undefined) change({ categories: toggleCategory(draft.categories, label) });
    },
    focusCategory: () => categoryInput.current?.focus(),
    focusNote: () => note.current?.focus(),
    undo: stepBack,
    save: trySave,
  });
  const cleanLabel = discarded === null ? "Undo" : "Restore";
  return {
    form,
    answer,
    isPending,
    suggestions,
    problems: wasTried ? findDraftProblems(draft) : NO_PROBLEMS,
    change,
    save: trySave,
    keepMine,
    stepBack,
    stepBackLabel: isDirty ? "Discard" : cleanLabel,
    canStepBack: isDirty || discarded !== null || (mine?.current ?? null) !== null,
    categoryInput,
    note,
  };
}

/** What the parts of the review form are drawn from. */
export type ReviewPanelState = ReturnType<typeof useReviewForm>;

/** The last answer; `offline` when there was none. Null before the first command. */
export type ReviewAnswer = ReviewResult | { readonly status: "offline" } | null;

type Command =
  | { readonly kind: "save"; readonly thenNext: boolean; readonly base: string | null }
  | { readonly kind: "undo" };

/** Sends saves and undos one after the other, and follows the way to the next trial. */
function useReviewSave(review: ReviewState, form: ReviewDraft) {
  const router = useRouter();
  const attempt = useRef<{ readonly text: string; readonly saveId: string | null } | null>(null);
  const { jobKey, trialKey, list, subject } = review;

  async function save(thenNext: boolean, baseVersionId: string | null): Promise<ReviewResult> {
    if (!form.isDirty) {
      const { reviewerId } = form.draft;
      return findNextReview({ jobKey, trialKey, list, reviewerId });
    }
    const text = JSON.stringify([form.draft, baseVersionId]);
    // The same text sent again, because the answer was lost, is the same save.
    if (attempt.current?.text !== text) attempt.current = { text, saveId: makeSaveId() };
    const { saveId } = attempt.current;
    const { outcomeSeen, rewardSeen } = subject;
    const { draft } = form;
    const seen = { outcomeSeen, rewardSeen };
    return saveReview({ jobKey, trialKey, list, draft, baseVersionId, saveId, ...seen, thenNext });
  }

  async function undo(): Promise<ReviewResult> {
    const current = form.mine?.current ?? null;
    if (current === null) return { status: "undone" };
    return undoReview({ jobKey, trialKey, reviewerId: current.reviewerId, versionId: current.versionId });
  }

  async function run(_before: ReviewAnswer, command: Command): Promise<ReviewAnswer> {
    try {
      const result = await (command.kind === "save" ? save(command.thenNext, command.base) : undo());
      startTransition(() => {
        form.refuse(result.status === "failed" ? result.message : null);
        if (result.status === "saved") form.rebase(result.versionId);
        if (result.status === "undone") {
          const before = form.mine?.versions.find((version) => version.status === "superseded") ?? null;
          form.take(toContent(before));
        }
        if ("nextHref" in result && result.nextHref !== null) router.push(buildHref(result.nextHref));
      });
      return result;
    } catch (error) {
      // An action that throws got no answer, or one that is no answer of ours: the draft stays either way.
      if (error instanceof Error) return askWhy();
      throw error;
    }
  }

  const [answer, dispatch, isPending] = useActionState<ReviewAnswer, Command>(run, null);
  useHeldRenewals(isPending);
  return {
    answer,
    isPending,
    /** `base` is the head that the save stands on, by default the one the draft was started on. */
    save: (thenNext: boolean, base: string | null = form.base) =>
      startTransition(() => dispatch({ kind: "save", thenNext, base })),
    undo: () => startTransition(() => dispatch({ kind: "undo" })),
  };
}

/** Small, the same for everybody, and behind the guard as everything is. */
const PROBE = "/icon.svg";

/** Tells a server that does not answer from one that refuses: what an action throws is the same for both. */
async function askWhy(): Promise<ReviewAnswer> {
  const status = await fetch(PROBE, { method: "HEAD", cache: "no-store" }).then(
    (answer) => answer.status,
    () => null,
  );
  // A proxy answers for a server that does not, and Assay itself with 503 while it starts.
  if (status === null || status >= 502) return { status: "offline" };
  return { status: "failed", message: status === 401 ? SHUT_OUT : NOT_TAKEN };
}

const SHUT_OUT =
  "Not saved: this browser’s access token is no longer accepted, for example because Assay was restarted with a new one. " +
  "Open the address that Assay printed when it last started; if its host and port are the same, your draft is still there.";
const NOT_TAKEN =
  "Not saved: the server refused the request. Reload the page, since Assay may have been updated; if it happens again, " +
  "check the terminal that runs Assay.";

/** Null where the browser has no random UUIDs (an address that is neither local nor secure); the store then makes one. */
function makeSaveId(): string | null {
  return "randomUUID" in crypto ? crypto.randomUUID() : null;
}
