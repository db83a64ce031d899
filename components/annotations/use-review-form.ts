"use client";

import { useRef, useState } from "react";

import { findDraftProblems } from "@/lib/domain/annotation";
import type { AnnotationDraft, DraftProblems } from "@/lib/domain/annotation";
import type { ReviewState } from "@/lib/queries/annotations/review";

import { listChips, toggleCategory } from "./category-chips";
import type { DraftContent } from "./draft-storage";
import { toContent, useReviewDraft } from "./use-review-draft";
import { useReviewKeys } from "./use-review-keys";
import { useReviewSave } from "./use-review-save";

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
