"use client";

import { ChevronUp, Undo2 } from "lucide-react";
import { useState, useSyncExternalStore } from "react";

import { Button, KeyCap } from "@/components/ui/button";
import { computeReviewerKey } from "@/lib/domain/annotation";
import { formatCount, formatPlural } from "@/lib/format/number";
import type { ReviewState } from "@/lib/queries/annotations/review";

import { CategoryChips } from "./category-chips";
import { CATEGORY_HEADINGS } from "./judgment-words";
import { NoteField, ReviewerFields, Verdict } from "./review-fields";
import { ReviewHelp, ReviewHistory } from "./review-history";
import { ReviewMessages, ReviewStatus } from "./review-messages";
import { toContent, type ReviewDraft } from "./use-review-draft";
import { type ReviewPanelState, useReviewForm } from "./use-review-form";

const subscribeToNothing = () => () => undefined;

/** The review form of one trial. Drawn empty by the server, then again with what this browser remembers. */
export function ReviewForm({ review }: { review: ReviewState }) {
  const inBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  return <ReviewFields key={String(inBrowser)} review={review} inBrowser={inBrowser} />;
}

function ReviewFields({ review, inBrowser }: { review: ReviewState; inBrowser: boolean }) {
  const panel = useReviewForm(review, inBrowser);
  const { form, problems, suggestions, change } = panel;
  const { draft } = form;
  // Where it is a sheet at the foot of a narrow window; elsewhere it is always open.
  const [isOpen, setIsOpen] = useState(false);
  return (
    <form
      className={isOpen ? "review-form" : "review-form review-folded"}
      aria-label="Review"
      onSubmit={(event) => {
        event.preventDefault();
        panel.save(false);
      }}
    >
      <header className="row review-head">
        <h2>Review</h2>
        {/* Shown only where the form is a sheet. */}
        <Button look="bare" className="review-fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <ChevronUp size={16} aria-hidden /> {isOpen ? "Fold" : "Whole form"}
        </Button>
        {inBrowser ? <ReviewStatus panel={panel} review={review} /> : null}
      </header>
      {/* Before the scripts are there a click would be lost without a word. */}
      <fieldset className="review-fields" disabled={!inBrowser}>
        <div className="review-body">
          <Verdict
            subject={review.subject}
            value={draft.judgment}
            problem={problems.judgment}
            onJudge={(judgment) => {
              change({ judgment });
              setIsOpen(true);
            }}
          />
          <CategoryChips
            heading={CATEGORY_HEADINGS[draft.judgment ?? "none"]}
            suggestions={suggestions}
            chosen={draft.categories}
            problem={problems.categories}
            inputRef={panel.categoryInput}
            onChange={(categories) => change({ categories })}
          />
          <NoteField
            value={draft.notes}
            problem={problems.notes}
            inputRef={panel.note}
            onChange={(notes) => change({ notes })}
          />
          <ReviewerFields value={draft} problems={problems} onChange={change} />
          <AdminNote review={review} mine={form.mine} />
          <ReviewMessages panel={panel} review={review} />
          <ReviewHistory
            judged={review.judged}
            ownKey={form.mine?.reviewerKey ?? null}
            onUse={(version) => change(toContent(version))}
          />
          <ReviewHelp />
        </div>
        <ReviewFoot panel={panel} review={review} />
      </fieldset>
      <p className="review-progress caption">{describeProgress(review, draft.reviewerId)}</p>
    </form>
  );
}

/** Said before an admin changes what is not theirs. */
function AdminNote({ review, mine }: { review: ReviewState; mine: ReviewDraft["mine"] }) {
  if (mine === null || !review.othersOfAdmin.includes(mine.reviewerKey)) return null;
  return (
    <p className="review-message" role="note">
      You are changing {mine.reviewerId}’s judgment as admin: it remains theirs, and the history and exports
      show that an admin changed it.
    </p>
  );
}

function ReviewFoot({ panel, review }: { panel: ReviewPanelState; review: ReviewState }) {
  const { form, isPending } = panel;
  return (
    <footer className="row review-foot">
      <Button look="bare" onClick={panel.stepBack} disabled={!panel.canStepBack}>
        <Undo2 size={14} aria-hidden /> {panel.stepBackLabel} <KeyCap>u</KeyCap>
      </Button>
      <Button type="submit" disabled={isPending} title="Ctrl S">
        Save
      </Button>
      <Button
        look="main"
        disabled={isPending}
        onClick={() => panel.save(true)}
        title={`Save, then open the next ${review.list === null ? "unreviewed trial of this job" : "trial of the list"}`}
      >
        {form.isDirty ? "Save and next" : "Next"} <KeyCap>Ctrl ↵</KeyCap>
      </Button>
    </footer>
  );
}

function describeProgress(review: ReviewState, reviewerId: string): string {
  const reviewerKey = computeReviewerKey(reviewerId);
  const nReviewed = review.nReviewed[reviewerKey] ?? 0;
  const total = `${formatPlural(review.nTrials, "finished trial")} in this job`;
  return reviewerKey === "" || review.problem !== null
    ? total
    : `You reviewed ${formatCount(nReviewed)} of ${total}`;
}
