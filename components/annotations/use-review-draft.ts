"use client";

import { useEffect, useState } from "react";

import { type Annotation, type AnnotationDraft, computeReviewerKey } from "@/lib/core/domain/annotation";
import { isRedacted } from "@/lib/core/domain/redacted-name";
import { isSameAnchor } from "@/lib/core/domain/review";
import type { ReviewState } from "@/lib/pages/annotations/review";

import {
  type DraftContent,
  keepDraft,
  keepSave,
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

export type ReviewDraft = ReturnType<typeof useReviewDraft>;

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
    keepDraft(storageKey, isDirty ? { ...toContent(draft), base, refusal } : null);
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
      keepSave(storageKey, null);
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
      keepSave(storageKey, null);
      setHeld({ draft: { ...draft, ...content }, base: head, refusal: null });
    },
    refuse: (reason: string | null) => setHeld((before) => ({ ...before, refusal: reason })),
    rebase: (versionId: string | null) =>
      setHeld((before) => ({ ...before, base: versionId, refusal: null })),
  };
}
