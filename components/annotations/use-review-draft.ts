"use client";

import { useEffect, useState } from "react";

import { type Annotation, type AnnotationDraft, computeReviewerKey } from "@/lib/domain/annotation";
import { isPaintedOver } from "@/lib/domain/painted-name";
import { isSameAnchor } from "@/lib/domain/review";
import type { ReviewState } from "@/lib/queries/annotations/review";

import {
  type DraftContent,
  forgetDraft,
  keepDraft,
  readDraft,
  readReviewer,
  rememberReviewer,
} from "./draft-storage";

type Chain = ReviewState["judged"]["chains"][number];

const EMPTY: AnnotationDraft = {
  reviewerId: "",
  reviewerDiscipline: null,
  judgment: null,
  categories: [],
  notes: null,
  confidence: null,
  evidence: [],
};

/** The part of a version or draft that is compared and kept. */
export function toContent(version: Annotation | AnnotationDraft | null): DraftContent {
  return {
    judgment: version?.judgment ?? null,
    categories: version?.categories ?? [],
    notes: version?.notes ?? null,
    confidence: version?.confidence ?? null,
    evidence: version?.evidence ?? [],
  };
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
      // What a blind page painted over is stored as it is.
      return (
        other !== undefined &&
        isPaintedOver(anchor.place, other.place) &&
        isSameAnchor({ ...anchor, place: other.place }, other) &&
        isPaintedOver(anchor.quote ?? "", other.quote ?? "")
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
  /** Head of the chain that the draft was started on; a save states it. */
  readonly base: string | null;
  /** Why the draft was not saved when that was last tried, also before the page was loaded; null when nothing refused it. */
  readonly refusal: string | null;
}

function readHeld(review: ReviewState, storageKey: string): Held {
  const reviewer = readReviewer();
  const own = findChain(review, reviewer.reviewerId);
  const kept = readDraft(storageKey);
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

/** What is typed, what is stored for this reviewer, and how the two compare. */
export type ReviewDraft = ReturnType<typeof useReviewDraft>;

/** Keeps the draft of one trial in the browser until it is stored; `inBrowser` is false for the server's markup. */
export function useReviewDraft(review: ReviewState, inBrowser: boolean) {
  const storageKey = review.draftKey;
  const [held, setHeld] = useState<Held>(() =>
    inBrowser ? readHeld(review, storageKey) : { draft: EMPTY, base: null, refusal: null },
  );
  const { draft, base, refusal } = held;
  const mine = findChain(review, draft.reviewerId);
  const stored = toContent(mine?.current ?? null);
  const head = mine?.headVersionId ?? null;
  const [known, setKnown] = useState({ head, stored });
  // Of a store that cannot be read nobody knows what it has now.
  const isKnown = review.problem === null;
  if (isKnown && head !== known.head) {
    setKnown({ head, stored });
    // Saved elsewhere meanwhile: a form that nobody changed shows that, and does not become a draft of what was there.
    if (isSameContent(draft, known.stored))
      setHeld({ draft: { ...draft, ...stored }, base: head, refusal: null });
  }
  const isStale = mine?.current != null && review.stale.includes(mine.current.versionId);
  // Of a trial that changed since, saving the same again says that it still holds.
  const isDirty = !isSameContent(draft, stored) || (isStale && draft.judgment !== null);

  useEffect(() => {
    if (!inBrowser) return;
    if (isDirty) keepDraft(storageKey, { ...toContent(draft), base, refusal });
    else forgetDraft(storageKey);
  }, [inBrowser, isDirty, draft, base, refusal, storageKey]);

  return {
    draft,
    /** The reviewer's chain as the server knows it; null when the reviewer has none here. */
    mine,
    base,
    refusal,
    /** Whether the draft says something that is not stored, or of a trial that changed since. */
    isDirty,
    /** Whether the reviewer's judgment was made of other files of the trial. */
    isStale,
    /** Whether the reviewer's chain moved on elsewhere since the draft was started. */
    isOvertaken: isKnown && isDirty && base !== head,
    change: (change: Partial<AnnotationDraft>) => {
      const next = { ...draft, ...change };
      const chain = findChain(review, next.reviewerId);
      const isOther = chain?.reviewerKey !== mine?.reviewerKey;
      if (change.reviewerId !== undefined || change.reviewerDiscipline !== undefined) rememberReviewer(next);
      // What one reviewer stored is not the next one's draft; what is not stored yet stays, whoever signs it.
      const content = isOther && !isDirty ? toContent(chain?.current ?? null) : toContent(next);
      // A save may have moved the base since this was drawn.
      setHeld((before) => ({
        draft: { ...next, ...content },
        base: isOther || !isDirty ? (chain?.headVersionId ?? null) : before.base,
        refusal: before.refusal,
      }));
    },
    /** Puts this in place of what is typed. */
    take: (content: DraftContent) => setHeld({ draft: { ...draft, ...content }, base: head, refusal: null }),
    /** Keeps with the draft why it was refused. */
    refuse: (reason: string | null) => setHeld((before) => ({ ...before, refusal: reason })),
    /** States that the draft stands on this version from now on. */
    rebase: (versionId: string | null) =>
      setHeld((before) => ({ ...before, base: versionId, refusal: null })),
  };
}
