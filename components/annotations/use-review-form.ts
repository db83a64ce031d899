"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useRef, useState, startTransition, useActionState } from "react";

import { announce } from "@/components/shell/announcer";
import { useCommands } from "@/components/shell/commands";
import { useHeldRenewals } from "@/components/shell/live-state";
import { findDraftProblems, type AnnotationDraft, type DraftProblems } from "@/lib/core/domain/annotation";
import type { Judgment } from "@/lib/core/domain/judgment";
import { isSameAnchor } from "@/lib/core/domain/review";
import { formatCount } from "@/lib/core/format/number";
import { buildHref } from "@/lib/pages/address/href";
import {
  findNextReview,
  moveQueueItem,
  saveReview,
  undoReview,
  type ReviewResult,
} from "@/lib/pages/annotations/actions";
import type { ReviewState } from "@/lib/pages/annotations/review";

import { askWhy } from "./ask-why";
import { toggleCategory } from "./category-chips";
import { useTypedCategory } from "./category-field";
import { CONFIDENCE_WORDS, cycleConfidence } from "./confidence-field";
import type { DraftContent } from "./draft-storage";
import { nameAnchor } from "./evidence-list";
import { findEvidencePlace, markEvidencePlace } from "./evidence-place";
import { JUDGMENT_WORDS } from "./judgment-words";
import {
  findLastSave,
  forgetLastSave,
  type LastSave,
  makeSaveId,
  noteWayOn,
  rememberSave,
  undoLastSave,
  usePageAddress,
} from "./last-save";
import { rememberField } from "./leave-field";
import { type OpenNext, useTypeAhead } from "./type-ahead";
import { toContent, useReviewDraft, type ReviewDraft } from "./use-review-draft";

const NO_PROBLEMS: DraftProblems = {};
const NO_CATEGORIES: ReviewState["offers"]["byJudgment"]["pass"] = [];

export function useReviewForm(review: ReviewState, inBrowser: boolean) {
  const form = useReviewDraft(review, inBrowser);
  const note = useRef<HTMLTextAreaElement>(null);
  const leaving = useTypeAhead(note, inBrowser);
  const { answer, isPending, last, save, undo, undoLast, skip } = useReviewSave(review, form, leaving);
  const [wasTried, setTried] = useState(false);
  const [discarded, setDiscarded] = useState<DraftContent | null>(null);
  const categoryInput = useRef<HTMLInputElement>(null);
  const typedCategory = useTypedCategory(categoryInput);
  const { draft, isDirty, mine } = form;
  const { isOpenCoding, byJudgment } = review.offers;
  const offered = draft.judgment === null || isOpenCoding ? NO_CATEGORIES : byJudgment[draft.judgment];

  function change(next: Partial<AnnotationDraft>) {
    setDiscarded(null);
    form.change(next);
  }
  function trySave(thenNext: boolean) {
    if (isPending || typedCategory.holdsBack()) return;
    // Going on without a change needs no judgment: a trial may be skipped.
    const problems = thenNext && !isDirty ? NO_PROBLEMS : findDraftProblems(draft);
    const isRefused = Object.keys(problems).length > 0;
    setTried(isRefused);
    if (!isRefused) {
      if (isDirty || thenNext) save(thenNext);
    } else if (problems.reviewerId !== undefined) document.getElementById("review-name")?.focus();
    else if (problems.notes !== undefined) note.current?.focus();
  }
  function keepMine() {
    if (!isPending && !typedCategory.holdsBack()) save(false, mine?.headVersionId ?? null);
  }
  function pass() {
    if (!typedCategory.holdsBack()) skip();
  }
  function stepBack() {
    if (isPending) return;
    if (isDirty) {
      typedCategory.type("");
      setDiscarded(toContent(draft));
      form.take(toContent(mine?.current ?? null));
      setTried(false);
    } else if (discarded !== null) change(discarded);
    else if (last !== null) undoLast(last);
    else if (mine?.current) undo();
  }
  const attachEvidence = () => attachPlace(draft, change);
  // A new URL opens another step, so the place pointed at before no longer applies.
  const address = useSearchParams().toString();
  useEffect(markEvidencePlace, [address]);
  useReviewCommands(form.draft, { offered, splits: review.splits }, change);
  useCommands({
    "review.search": typedCategory.focus,
    "review.note": () => note.current?.focus(),
    "review.evidence": attachEvidence,
    "review.undo": stepBack,
    "review.save": () => trySave(false),
    "review.saveNext": () => trySave(true),
    ...(review.target.kind === "item" ? { "queue.skip": pass } : {}),
  });
  return {
    form,
    answer,
    isPending,
    offered,
    problems: wasTried ? findDraftProblems(draft) : NO_PROBLEMS,
    change,
    attachEvidence,
    skip: pass,
    save: trySave,
    keepMine,
    stepBack,
    stepBackLabels: nameStepBack(isDirty, discarded, last),
    saved: last?.words ?? null,
    canStepBack: isDirty || discarded !== null || last !== null || (mine?.current ?? null) !== null,
    typedCategory,
    categoryInput,
    note,
  };
}

function describeSave(target: ReviewState["target"], judgment: Judgment | null): string {
  const trial = target.kind === "item" ? `trial ${formatCount(target.position + 1)}` : target.trialKey;
  return `Saved: ${judgment === null ? "" : `${JUDGMENT_WORDS[judgment]}, `}${trial}.`;
}

export const UNDO_LAST_TITLE = "Undo your judgment of the trial before, and go back to it";

function nameStepBack(isDirty: boolean, discarded: DraftContent | null, last: LastSave | null) {
  if (isDirty) return { label: "Discard" };
  if (discarded !== null) return { label: "Restore" };
  return last === null ? { label: "Undo" } : { label: "Undo last", title: UNDO_LAST_TITLE };
}

function attachPlace({ evidence }: AnnotationDraft, change: (next: Partial<AnnotationDraft>) => void): void {
  const anchor = findEvidencePlace();
  const isKnown = anchor !== null && evidence.some((one) => isSameAnchor(one, anchor));
  if (anchor !== null && !isKnown) change({ evidence: [...evidence, anchor] });
  const said = isKnown ? "is attached already" : "attached";
  announce(anchor === null ? "Nothing here to attach" : `${nameAnchor(anchor)} ${said}`);
}

function useReviewCommands(
  draft: AnnotationDraft,
  { offered, splits }: { readonly offered: typeof NO_CATEGORIES; readonly splits: ReviewState["splits"] },
  change: (next: Partial<AnnotationDraft>) => void,
): void {
  function judge(judgment: Judgment) {
    change({ judgment });
    announce(`Verdict: ${JUDGMENT_WORDS[judgment].toLowerCase()}`);
  }
  useCommands({
    "review.pass": () => judge("pass"),
    "review.fail": () => judge("fail"),
    "review.defer": () => judge("defer"),
    "review.category": (digit) => {
      const label = offered.find(({ key }) => key === digit)?.label;
      // Swallowed: otherwise the bare digit would be a verdict.
      if (label === undefined) return true;
      const categories = toggleCategory(draft.categories, label, splits);
      change({ categories });
      announce(`${label}: ${categories.includes(label) ? "added" : "removed"}`);
      return true;
    },
    "review.confidence": () => {
      const confidence = cycleConfidence(draft.confidence);
      change({ confidence });
      announce(`Confidence: ${confidence === null ? "none" : CONFIDENCE_WORDS[confidence].toLowerCase()}`);
    },
  });
}

export type ReviewPanelState = ReturnType<typeof useReviewForm>;

/** `offline` if there was no answer; null before the first command. */
export type ReviewAnswer = ReviewResult | { readonly status: "offline" } | null;

type Command =
  | { readonly kind: "save"; readonly thenNext: boolean; readonly base: string | null }
  | { readonly kind: "undo" }
  | { readonly kind: "undoLast"; readonly last: LastSave }
  | { readonly kind: "skip" };

function useReviewSave(review: ReviewState, form: ReviewDraft, leaving: ReturnType<typeof useTypeAhead>) {
  const attempt = useRef<{ readonly text: string; readonly saveId: string | null } | null>(null);
  const { target, seen, draftKey } = review;
  const { path, href } = usePageAddress();

  async function save(thenNext: boolean, baseVersionId: string | null): Promise<ReviewResult> {
    if (!form.isDirty) return findNextReview({ target, reviewerId: form.draft.reviewerId });
    const text = JSON.stringify([form.draft, baseVersionId]);
    // Resending the same text after a lost answer is the same save.
    if (attempt.current?.text !== text) attempt.current = { text, saveId: makeSaveId() };
    const { saveId } = attempt.current;
    return saveReview({ target, draft: form.draft, baseVersionId, saveId, seen, thenNext });
  }

  async function undo(): Promise<ReviewResult> {
    const current = form.mine?.current;
    if (!current) return { status: "undone" };
    return undoReview({ target, reviewerId: current.reviewerId, versionId: current.versionId });
  }

  function skip(): Promise<ReviewResult> {
    if (target.kind === "trial") return Promise.resolve({ status: "next", nextHref: null });
    return moveQueueItem({ ...target, reviewerId: form.draft.reviewerId, kind: "skipped" });
  }

  function runCommand(command: Exclude<Command, { readonly kind: "undoLast" }>): Promise<ReviewResult> {
    if (command.kind === "save") return save(command.thenNext, command.base);
    return command.kind === "undo" ? undo() : skip();
  }

  function remember(result: ReviewResult): void {
    if (result.status === "saved") {
      const { reviewerId } = form.draft;
      const undo = { target, reviewerId, versionId: result.versionId };
      rememberSave({ undo, draftKey, href, words: describeSave(target, form.draft.judgment) });
    }
    if (result.status === "undone") forgetLastSave();
    if ("nextHref" in result && result.nextHref !== null) noteWayOn(draftKey, result.nextHref);
  }

  async function run(before: ReviewAnswer, command: Command, open: OpenNext): Promise<ReviewAnswer> {
    const leave = rememberField();
    try {
      if (command.kind === "undoLast") {
        const undone = await undoLastSave(command.last);
        if (undone.status === "conflict") return before;
        if ("href" in undone) open(undone.href);
        return undone;
      }
      const result = await runCommand(command);
      remember(result);
      if (result.status === "saved") leave();
      startTransition(() => {
        form.refuse(result.status === "failed" ? result.message : null);
        if (result.status === "saved") form.rebase(result.versionId);
        if (result.status === "undone") {
          const before = form.mine?.versions.find((version) => version.status === "superseded") ?? null;
          form.take(toContent(before));
        }
      });
      if ("nextHref" in result && result.nextHref !== null) open(buildHref(result.nextHref));
      return result;
    } catch (error) {
      // An action that throws got no usable answer: the draft stays.
      if (error instanceof Error) return askWhy();
      throw error;
    }
  }

  const [answer, dispatch, isPending] = useActionState<ReviewAnswer, Command>(
    (before, command) => leaving(command, (open) => run(before, command, open)),
    null,
  );
  useHeldRenewals(isPending);
  return {
    answer,
    isPending,
    save: (thenNext: boolean, base: string | null = form.base) =>
      startTransition(() => dispatch({ kind: "save", thenNext, base })),
    undo: () => startTransition(() => dispatch({ kind: "undo" })),
    last: findLastSave(path, form.draft.reviewerId),
    undoLast: (last: LastSave) => startTransition(() => dispatch({ kind: "undoLast", last })),
    skip: () => {
      if (target.kind === "item" && !isPending) startTransition(() => dispatch({ kind: "skip" }));
    },
  };
}
