import { AnnotationTime } from "./annotation-time";
import type { ReviewDraft } from "./use-review-draft";
import type { ReviewAnswer } from "./use-review-save";

/** Whether what is seen is stored, in one or two words at the panel's upper right. */
export function ReviewStatus({
  form,
  answer,
  isPending,
  isReadable,
}: {
  form: ReviewDraft;
  answer: ReviewAnswer;
  isPending: boolean;
  /** Whether it is known what is stored. */
  isReadable: boolean;
}) {
  const { words, isBad } = describeStatus(form, answer, isPending);
  if (!isReadable && !isPending && !form.isDirty) {
    return (
      <span className="review-status review-status-bad" role="status">
        Unknown if reviewed
      </span>
    );
  }
  return (
    <span className={isBad ? "review-status review-status-bad" : "review-status"} role="status">
      {words}
    </span>
  );
}

function describeStatus(form: ReviewDraft, answer: ReviewAnswer, isPending: boolean) {
  if (isPending) return { words: "Saving…", isBad: false };
  const current = form.mine?.current ?? null;
  if (form.isDirty) return describeUnsaved(answer, current !== null);
  if (current !== null) {
    const words = (
      <>
        Saved <AnnotationTime timestamp={current.timestamp} />
      </>
    );
    return { words, isBad: false };
  }
  if (form.mine?.isCurrentHidden === true) return { words: "Saved, too long to show", isBad: false };
  return { words: answer?.status === "undone" ? "Taken back" : "Not reviewed", isBad: false };
}

function describeUnsaved(answer: ReviewAnswer, isCorrection: boolean) {
  if (answer?.status === "offline") return { words: "Offline, kept here", isBad: true };
  if (answer?.status === "failed" || answer?.status === "invalid") return { words: "Not saved", isBad: true };
  return { words: isCorrection ? "Changed, not saved" : "Draft, not saved", isBad: false };
}
