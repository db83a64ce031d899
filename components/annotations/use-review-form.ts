"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useState, useRef } from "react";
import { flushSync } from "react-dom";

import { announce } from "@/components/shell/announcer";
import { useCommands } from "@/components/shell/commands";
import {
  type AnnotationDraft,
  computeReviewerKey,
  findDraftProblems,
  type DraftProblems,
} from "@/lib/core/domain/annotation";
import type { Judgment } from "@/lib/core/domain/judgment";
import { isRedacted } from "@/lib/core/domain/redacted-name";
import { isSameAnchor, CONFIDENCES } from "@/lib/core/domain/review";
import { formatCount } from "@/lib/core/format/number";
import { findNextReview, moveQueueItem, saveReview, undoReview } from "@/lib/pages/annotations/actions";
import type { ReviewState } from "@/lib/pages/annotations/review";
import type { ActionFailure } from "@/lib/pages/shell/act";

import { toggleDigit, useTypedCategory } from "./categories";
import {
  type DraftContent,
  keepSaves,
  NO_CONTENT,
  readReviewer,
  rememberReviewer,
  reviewDrafts,
  unansweredSaves,
} from "./drafts";
import { nameAnchor, findEvidencePlace, markEvidencePlace } from "./evidence";
import { CONFIDENCE_WORDS, JUDGMENT_WORDS } from "./judgment-words";
import { cycle } from "./statement-form";
import {
  useLastStatement,
  type LastStatement,
  usePageAddress,
  isHoldingKeys,
  useStatement,
} from "./statements";

type Chain = ReviewState["judged"]["chains"][number];

const EMPTY: AnnotationDraft = { reviewerId: "", reviewerDiscipline: null, ...NO_CONTENT };

export function toContent(version: DraftContent | null): DraftContent {
  const { judgment, categories, notes, confidence, evidence } = version ?? NO_CONTENT;
  return { judgment, categories, notes, confidence, evidence };
}

function isSameContent(draft: DraftContent, stored: DraftContent): boolean {
  return (
    draft.judgment === stored.judgment &&
    (draft.notes ?? "").trimEnd() === (stored.notes ?? "").trimEnd() &&
    draft.categories.length === stored.categories.length &&
    draft.categories.every((category, index) => category === stored.categories[index]) &&
    draft.confidence === stored.confidence &&
    draft.evidence.length === stored.evidence.length &&
    draft.evidence.every((anchor, index) => {
      const other = stored.evidence[index];
      // Parts hidden on a blind page are stored unchanged.
      return (
        other !== undefined &&
        isRedacted(anchor.place, other.place) &&
        isSameAnchor({ ...anchor, place: other.place }, other) &&
        isRedacted(anchor.quote ?? "", other.quote ?? "")
      );
    })
  );
}

function findChain(review: ReviewState, reviewerId: string): Chain | null {
  const reviewerKey = computeReviewerKey(reviewerId);
  return review.judged.chains.find((chain) => chain.reviewerKey === reviewerKey) ?? null;
}

interface Held {
  readonly draft: AnnotationDraft;
  readonly base: string | null;
  readonly refusal: string | null;
}

function readHeld(review: ReviewState, storageKey: string): Held {
  const reviewer = readReviewer();
  const own = findChain(review, reviewer.reviewerId);
  const kept = reviewDrafts.read(storageKey);
  if (kept === null) {
    return {
      draft: { ...EMPTY, ...reviewer, ...toContent(own?.current ?? null) },
      base: own?.headVersionId ?? null,
      refusal: null,
    };
  }
  const { base, refusal, ...content } = kept;
  return { draft: { ...EMPTY, ...reviewer, ...content }, base, refusal };
}

export type ReviewDraft = ReturnType<typeof useReviewDraft>;

function useReviewDraft(review: ReviewState, inBrowser: boolean) {
  const storageKey = review.draftKey;
  const [held, setHeld] = useState<Held>(() =>
    inBrowser ? readHeld(review, storageKey) : { draft: EMPTY, base: null, refusal: null },
  );
  const { draft, base, refusal } = held;
  const mine = findChain(review, draft.reviewerId);
  const stored = toContent(mine?.current ?? null);
  const head = mine?.headVersionId ?? null;
  const [known, setKnown] = useState({ head, stored });
  // An unreadable store does not reveal its current versions.
  const isKnown = review.problem === null;
  if (isKnown && head !== known.head) {
    setKnown({ head, stored });
    // Saved elsewhere meanwhile: an unchanged form shows that instead of turning the old text into a draft.
    if (isSameContent(draft, known.stored))
      setHeld({ draft: { ...draft, ...stored }, base: head, refusal: null });
  }
  const isStale = mine?.current != null && review.stale.includes(mine.current.versionId);
  // Saving an unchanged judgment of a changed trial confirms that it still holds.
  const isDirty = !isSameContent(draft, stored) || (isStale && draft.judgment !== null);

  useEffect(() => {
    if (!inBrowser) return;
    reviewDrafts.keep(storageKey, isDirty ? { ...toContent(draft), base, refusal } : null);
  }, [inBrowser, isDirty, draft, base, refusal, storageKey]);

  return {
    draft,
    mine,
    base,
    refusal,
    isDirty,
    isStale,
    /** True if another window advanced the reviewer's chain since the draft was started. */
    isOvertaken: isKnown && isDirty && base !== head,
    change: (change: Partial<AnnotationDraft>) => {
      unansweredSaves.keep(storageKey, null);
      const next = { ...draft, ...change };
      const chain = findChain(review, next.reviewerId);
      const isOther = chain?.reviewerKey !== mine?.reviewerKey;
      if (change.reviewerId !== undefined || change.reviewerDiscipline !== undefined) rememberReviewer(next);
      // A stored version is not the next reviewer's draft; unsaved text stays under either name.
      const content = isOther && !isDirty ? toContent(chain?.current ?? null) : toContent(next);
      // A save may have moved the base since this render.
      setHeld((before) => ({
        draft: { ...next, ...content },
        base: isOther || !isDirty ? (chain?.headVersionId ?? null) : before.base,
        refusal: before.refusal,
      }));
    },
    take: (content: DraftContent) => {
      unansweredSaves.keep(storageKey, null);
      setHeld({ draft: { ...draft, ...content }, base: head, refusal: null });
    },
    refuse: (reason: string | null) => setHeld((before) => ({ ...before, refusal: reason })),
    rebase: (versionId: string | null) =>
      setHeld((before) => ({ ...before, base: versionId, refusal: null })),
  };
}

const NO_PROBLEMS: DraftProblems = {};
const NO_CATEGORIES: ReviewState["offers"]["byJudgment"]["pass"] = [];

function useFold() {
  const [isUnfolded, setUnfolded] = useState(isHoldingKeys);
  /** A field cannot be focused before it is shown. */
  const unfoldFor = (focus: () => void): void => {
    flushSync(() => setUnfolded(true));
    focus();
  };
  return { isUnfolded, setUnfolded, unfoldFor };
}

function focusProblem(problems: DraftProblems, note: HTMLElement | null): void {
  if (problems.reviewerId !== undefined) document.getElementById("review-name")?.focus();
  else if (problems.notes !== undefined) note?.focus();
}

export function useReviewForm(review: ReviewState, inBrowser: boolean) {
  const form = useReviewDraft(review, inBrowser);
  const note = useRef<HTMLTextAreaElement>(null);
  const { answer, isPending, last, send } = useReviewSave(review, form, { note, inBrowser });
  const [wasTried, setTried] = useState(false);
  const [discarded, setDiscarded] = useState<DraftContent | null>(null);
  const { unfoldFor, ...fold } = useFold();
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
    fold.setUnfolded(true);
    if (isRefused) unfoldFor(() => focusProblem(problems, note.current));
    else if (isDirty || thenNext) send({ kind: "save", thenNext, base: form.base });
  }
  function keepMine() {
    if (isPending || typedCategory.holdsBack()) return;
    send({ kind: "save", thenNext: false, base: mine?.headVersionId ?? null });
  }
  function skip() {
    fold.setUnfolded(true);
    if (!typedCategory.holdsBack() && !isPending) send({ kind: "skip" });
  }
  function stepBack() {
    if (isPending) return;
    if (isDirty) {
      typedCategory.type("");
      setDiscarded(toContent(draft));
      form.take(toContent(mine?.current ?? null));
      setTried(false);
    } else if (discarded !== null) change(discarded);
    else if (last !== null) send({ kind: "undoLast", last });
    else if (mine?.current) send({ kind: "undo" });
  }
  const attachEvidence = () => attachPlace(draft, change);
  // A new URL opens another step, so the place pointed at before no longer applies.
  const address = useSearchParams().toString();
  useEffect(markEvidencePlace, [address]);
  useReviewCommands(form.draft, { offered, splits: review.splits }, change);
  useCommands({
    "review.search": () => unfoldFor(typedCategory.focus),
    "review.note": () => unfoldFor(() => note.current?.focus()),
    "review.evidence": attachEvidence,
    "review.undo": stepBack,
    "review.save": () => trySave(false),
    "review.saveNext": () => trySave(true),
    ...(review.target.kind === "item" ? { "queue.skip": skip } : {}),
  });
  return {
    form,
    answer,
    isPending,
    isUnfolded: fold.isUnfolded || typedCategory.isLeft,
    setUnfolded: fold.setUnfolded,
    offered,
    problems: wasTried ? findDraftProblems(draft) : NO_PROBLEMS,
    change,
    attachEvidence,
    skip,
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

export const UNDO_LAST_TITLE = "Undo your previous judgment and return to its trial";

function nameStepBack(isDirty: boolean, discarded: DraftContent | null, last: LastStatement | null) {
  if (isDirty) return { label: "Discard" };
  if (discarded !== null) return { label: "Restore" };
  return last === null ? { label: "Undo" } : { label: "Undo last", title: UNDO_LAST_TITLE };
}

function attachPlace({ evidence }: AnnotationDraft, change: (next: Partial<AnnotationDraft>) => void): void {
  const anchor = findEvidencePlace();
  const isKnown = anchor !== null && evidence.some((one) => isSameAnchor(one, anchor));
  if (anchor !== null && !isKnown) change({ evidence: [...evidence, anchor] });
  const said = isKnown ? "is attached already" : "attached";
  announce(anchor === null ? "Nothing to attach" : `${nameAnchor(anchor)} ${said}`);
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
      const categories = toggleDigit(digit, offered, draft.categories, splits);
      if (categories !== null) change({ categories });
      // Swallowed: otherwise the bare digit would be a verdict.
      return true;
    },
    "review.confidence": () => {
      const confidence = cycle(CONFIDENCES, draft.confidence);
      change({ confidence });
      announce(`Confidence: ${confidence === null ? "none" : CONFIDENCE_WORDS[confidence].toLowerCase()}`);
    },
  });
}

export type ReviewPanelState = ReturnType<typeof useReviewForm>;

type Command =
  | { readonly kind: "save"; readonly thenNext: boolean; readonly base: string | null }
  | { readonly kind: "undo" }
  | { readonly kind: "skip" };

type ReviewResult = Exclude<
  Awaited<ReturnType<typeof saveReview | typeof findNextReview | typeof undoReview>>,
  ActionFailure
>;

function useReviewSave(
  review: ReviewState,
  form: ReviewDraft,
  field: Pick<Parameters<typeof useStatement>[0], "note" | "inBrowser">,
) {
  const { target, seen, draftKey } = review;
  const { href } = usePageAddress();
  const last = useLastStatement(form.draft.reviewerId);
  const saves = keepSaves(draftKey, saveReview);

  function save(thenNext: boolean, baseVersionId: string | null): Promise<ReviewResult | ActionFailure> {
    if (!form.isDirty) return findNextReview({ target, reviewerId: form.draft.reviewerId });
    return saves.send({ target, draft: form.draft, baseVersionId, seen, thenNext });
  }

  async function send(command: Command): Promise<ReviewResult | ActionFailure> {
    if (command.kind === "save") return save(command.thenNext, command.base);
    if (command.kind === "skip")
      return target.kind === "trial"
        ? { status: "next", nextHref: null }
        : moveQueueItem({ ...target, reviewerId: form.draft.reviewerId, kind: "skipped" });
    const current = form.mine?.current;
    if (!current) return { status: "undone" };
    return undoReview({ target, reviewerId: current.reviewerId, versionId: current.versionId });
  }

  const statement = useStatement<Command, ReviewResult>({
    ...field,
    draftKey,
    send,
    resend: saves.resend,
    describe: ({ versionId }) => {
      const { reviewerId, judgment } = form.draft;
      return {
        author: reviewerId,
        draftKey,
        href,
        words: describeSave(target, judgment),
        undoneWords: "Undone: your judgment of this trial.",
        undo: async () => {
          const result = await undoReview({ target, reviewerId, versionId });
          // Otherwise a draft kept while the next trial was sought would come back.
          if (result.status === "undone") reviewDrafts.keep(draftKey, null);
          return result;
        },
      };
    },
    onAnswer: (result) => {
      form.refuse(result.status === "failed" ? result.message : null);
      if (result.status === "saved") form.rebase(result.versionId);
      if (result.status === "undone")
        form.take(toContent(form.mine?.versions.find(({ status }) => status === "superseded") ?? null));
    },
  });
  return { ...statement, last };
}
