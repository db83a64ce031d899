import type { ReactNode } from "react";

import type { ReviewState } from "@/lib/pages/annotations/review";

import { ReviewForm } from "./review-form";

import "./review-panel.css";

export function ReviewPanel({
  review,
  listWords,
  children,
}: {
  review: ReviewState;
  listWords: string | null;
  children?: ReactNode;
}) {
  return (
    <aside className="review-panel" aria-label="Review">
      <ReviewForm
        key={review.draftKey}
        review={review}
        listWords={listWords === null ? null : `Reviewing this list: ${listWords}`}
      />
      {children}
    </aside>
  );
}

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
      </div>
    </aside>
  );
}
