import type { ReactNode } from "react";

import type { ReviewState } from "@/lib/queries/annotations/review";

import { ReviewForm } from "./review-form";

import "./review-panel.css";

/** The review panel of a trial; the key makes a fresh form for another trial, and children stand below it. */
export function ReviewPanel({
  review,
  listWords,
  children,
}: {
  review: ReviewState;
  /** The list of trials that is gone through; null for all of the job, or of a queue. */
  listWords: string | null;
  children?: ReactNode;
}) {
  return (
    <aside className="review-panel" aria-label="Review">
      <ReviewForm
        key={review.draftKey}
        review={review}
        listWords={listWords === null ? null : `You go through this list: ${listWords}`}
      />
      {children}
    </aside>
  );
}

/** The panel's frame while its state is read: same place and height as the form's upper part. */
export function ReviewPanelSkeleton() {
  return (
    <aside className="review-panel" aria-label="Review" aria-busy="true">
      <header className="row review-head">
        <h2>Review</h2>
      </header>
      <div className="review-body" aria-hidden="true">
        <div className="review-verdicts">
          <span className="review-ghost" />
          <span className="review-ghost" />
          <span className="review-ghost" />
        </div>
        <div className="review-ghost review-ghost-tall" />
      </div>
    </aside>
  );
}
