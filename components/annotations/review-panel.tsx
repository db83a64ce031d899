import type { ReactNode } from "react";

import type { ReviewState } from "@/lib/queries/annotations/review";

import { ReviewForm } from "./review-form";

import "./review-panel.css";

/** The review panel of a trial; the key makes a fresh form for another trial, and children stand below it. */
export function ReviewPanel({ review, children }: { review: ReviewState; children?: ReactNode }) {
  return (
    <aside className="review-panel" aria-label="Review">
      <ReviewForm key={`${review.jobKey}/${review.trialKey}`} review={review} />
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
