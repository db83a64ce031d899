import { useOffline } from "next/offline";

import { Button } from "@/components/ui/button";
import type { Annotation } from "@/lib/core/domain/annotation";
import type { ReviewState } from "@/lib/pages/annotations/review";

import { AnnotationTime, JUDGMENT_WORDS } from "./judgment-words";
import { Message } from "./statement-form";
import { type ReviewDraft, toContent } from "./use-review-draft";
import type { ReviewPanelState } from "./use-review-form";

type ReviewAnswer = ReviewPanelState["answer"];

export function useReviewStatus({ form, answer, isPending }: ReviewPanelState, review: ReviewState) {
  const isOffline = useOffline();
  if (review.problem !== null && !isPending && !form.isDirty)
    return { words: "Review status unknown", isBad: true };
  // The browser resends it automatically once the server is reachable.
  if (isPending && isOffline) return { words: "Offline, not saved yet", isBad: true };
  return describeStatus(form, answer, isPending);
}

function describeStatus(form: ReviewDraft, answer: ReviewAnswer, isPending: boolean) {
  if (isPending) return { words: "Saving…", isBad: false };
  const current = form.mine?.current ?? null;
  if (form.isStale && answer === null) return { words: "Trial changed since", isBad: true };
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
  return { words: answer?.status === "undone" ? "Undone" : "Not reviewed", isBad: false };
}

function describeUnsaved(answer: ReviewAnswer, isCorrection: boolean) {
  if (answer?.status === "offline") return { words: "Offline, draft kept", isBad: true };
  if (answer?.status === "failed" || answer?.status === "invalid") return { words: "Not saved", isBad: true };
  return { words: isCorrection ? "Changed, not saved" : "Draft, not saved", isBad: false };
}

export function ReviewMessages({ panel, review }: { panel: ReviewPanelState; review: ReviewState }) {
  const { form, answer, isPending } = panel;
  const isWaiting = useOffline() && isPending;
  const last = describeLast(form, answer, review) ?? review.problem;
  const text = isWaiting ? WAITING_WORDS : (last ?? (form.isStale ? STALE_WORDS : null));
  if (form.isOvertaken) return <Overtaken panel={panel} text={text} />;
  if (text === null) return null;
  const isBad = isWaiting || (answer?.status !== "saved" && answer?.status !== "next");
  return (
    <Message isBad={isBad}>
      <p>{text}</p>
    </Message>
  );
}

const STALE_WORDS =
  "The result or trajectory of this trial changed since you judged it. Check it, then save to confirm or correct your judgment. Until then, rates exclude it.";

const WAITING_WORDS =
  "Not saved: the server cannot be reached. Your text is kept in this browser and resent automatically.";

function Overtaken({ panel: { form, keepMine }, text }: { panel: ReviewPanelState; text: string | null }) {
  const { mine, take } = form;
  const theirs = mine?.current ?? null;
  const isHidden = mine?.isCurrentHidden === true;
  return (
    <Message isBad>
      {text === null ? null : <p>{text}</p>}
      <p>
        <OtherJudgment theirs={theirs} isHidden={isHidden} />
      </p>
      {theirs?.notes == null ? null : <p className="review-entry-notes">{theirs.notes}</p>}
      <p className="review-message-actions">
        <Button onClick={keepMine}>Keep mine</Button>
        {isHidden ? null : <Button onClick={() => take(toContent(theirs))}>Keep theirs</Button>}
      </p>
    </Message>
  );
}

function OtherJudgment({ theirs, isHidden }: { theirs: Annotation | null; isHidden: boolean }) {
  if (isHidden)
    return "You saved another judgment of this trial, which is too long to show here. The export has it.";
  if (theirs === null) return "Your judgment was undone in another window after you started this draft.";
  const categories = theirs.categories.length === 0 ? "" : `, ${theirs.categories.join(", ")}`;
  return (
    <>
      You saved another judgment in another window, <AnnotationTime timestamp={theirs.timestamp} />:{" "}
      {`${JUDGMENT_WORDS[theirs.judgment]}${categories}.`}
    </>
  );
}

function describeRefusal(reason: string): string {
  return `${reason} Your text is kept in this browser.`;
}

function describeEnd(target: ReviewState["target"]): string {
  return target.kind === "trial" && target.list !== null
    ? "This is the last trial in the list."
    : "Every finished trial of this job is reviewed.";
}

function describeLast(
  { isDirty, refusal }: ReviewDraft,
  answer: ReviewAnswer,
  review: ReviewState,
): string | null {
  if (answer === null) return isDirty && refusal !== null ? describeRefusal(refusal) : null;
  return describeAnswer(answer, isDirty, review);
}

function describeAnswer(
  answer: NonNullable<ReviewAnswer>,
  isDirty: boolean,
  { target }: ReviewState,
): string | null {
  const noneLeft = describeEnd(target);
  switch (answer.status) {
    case "offline":
      return isDirty ? "The server did not respond. Your text is kept in this browser. Save again." : null;
    case "failed":
      return describeRefusal(answer.message);
    case "invalid":
      return Object.keys(answer.fields).length === 0 ? answer.message : null;
    case "saved":
      return answer.wasLast ? noneLeft : null;
    case "next":
      return answer.nextHref === null && !isDirty ? noneLeft : null;
    case "conflict":
    case "undone":
      return null;
  }
}
