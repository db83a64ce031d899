"use client";

import { Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";

import { LeaseNote } from "@/components/queues/queue-actions";
import { ForAction, useMay } from "@/components/shell/account-context";
import { announce } from "@/components/shell/announcer";
import { CommandKey } from "@/components/shell/command-key";
import { Button } from "@/components/ui/button";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { computeReviewerKey, type Annotation } from "@/lib/core/domain/annotation";
import { compareText } from "@/lib/core/domain/compare-text";
import { CONFIDENCES } from "@/lib/core/domain/review";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { ReviewState } from "@/lib/pages/annotations/review";

import { CategoryChips } from "./categories";
import { readReviewer } from "./drafts";
import { EvidenceField } from "./evidence";
import { ReviewHistory } from "./history";
import { CATEGORY_HEADINGS, CONFIDENCE_WORDS, JUDGMENT_WORDS } from "./judgment-words";
import { ReviewerFields, Verdict, ReviewMessages, useReviewStatus } from "./review-parts";
import { Choices, ReadOnlyForm, StatementForm, TextPart } from "./statement-form";
import { announceArrival, findLastStatement, usePageAddress, goOnInQueue } from "./statements";
import { toContent, type ReviewDraft, type ReviewPanelState, useReviewForm } from "./use-review-form";

import "./review.css";

interface PanelProps extends Props {
  readonly children?: ReactNode;
}

export function ReviewPanel({ review, listWords, children }: PanelProps) {
  return (
    <aside className="panel review-panel" aria-label="Review">
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
    <aside className="panel review-panel" aria-label="Review" aria-busy="true">
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

interface Props {
  readonly review: ReviewState;
  readonly listWords: string | null;
}

export function ReviewForm(props: Props) {
  const mayJudge = useMay("saveReview");
  const { review, listWords } = props;
  if (mayJudge) return <Judging {...props} />;
  return (
    <ReadOnlyForm
      title="Review"
      className="review-form review-read"
      below={<p className="review-progress caption">{listWords ?? describeProgress(review, "")}</p>}
    >
      <ForAction action="saveReview" subject="Judging" />
      <ReviewHistory judged={review.judged} decision={review.decision} at={review.at} />
    </ReadOnlyForm>
  );
}

function Judging({ review, listWords }: Props) {
  const inBrowser = useInBrowser();
  const place = describePlace(review);
  const { draftKey } = review;
  const isOfQueue = review.target.kind === "item";
  const { path } = usePageAddress();
  useEffect(() => {
    const last = findLastStatement(readReviewer().reviewerId, ({ pathname }) => pathname === path);
    announceArrival(draftKey, last, place);
    return () => {
      announce("");
      if (isOfQueue) goOnInQueue();
    };
  }, [draftKey, place, path, isOfQueue]);
  return <ReviewFields key={String(inBrowser)} review={review} listWords={listWords} inBrowser={inBrowser} />;
}

function ReviewFields({ review, listWords, inBrowser }: Props & { readonly inBrowser: boolean }) {
  const panel = useReviewForm(review, inBrowser);
  const status = useReviewStatus(panel, review);
  const router = useRouter();
  const { form, problems, change } = panel;
  const { draft } = form;
  return (
    <StatementForm
      title="Review"
      isOpen={panel.isUnfolded}
      isUsed={form.isDirty || form.mine !== null}
      onFold={() => panel.setUnfolded(!panel.isUnfolded)}
      onSave={() => panel.save(false)}
      inBrowser={inBrowser}
      status={status}
      foot={<ReviewFoot panel={panel} review={review} />}
      below={
        <>
          {panel.saved === null ? null : (
            <p className="review-saved caption cut" title={panel.saved}>
              {panel.saved}
            </p>
          )}
          <p className="review-progress caption">{listWords ?? describeProgress(review, draft.reviewerId)}</p>
        </>
      }
    >
      <Verdict
        seen={review.seen}
        value={draft.judgment}
        problem={problems.judgment}
        onJudge={(judgment) => {
          change({ judgment });
          panel.setUnfolded(true);
        }}
      />
      <UndoneJudgment form={form} onUse={(version) => change(toContent(version))} />
      <LeaseNote
        target={review.target}
        reviewerId={draft.reviewerId}
        isJudged={
          inBrowser
            ? form.mine?.current != null
            : review.judged.chains.some(({ current }) => current !== null)
        }
      />
      <Reasons panel={panel} review={review} />
      <ReviewerFields
        value={draft}
        problems={problems}
        hasVerdict={draft.judgment !== null}
        onChange={change}
        onLeave={() => {
          if (review.target.kind === "item") router.refresh();
        }}
      />
      <AdminNote review={review} mine={form.mine} />
      <ReviewMessages panel={panel} review={review} />
      <ReviewHistory
        judged={review.judged}
        decision={review.decision}
        at={review.at}
        ownKey={form.mine?.reviewerKey ?? null}
        onUse={(version) => change(toContent(version))}
      />
    </StatementForm>
  );
}

function Reasons({ panel, review }: { panel: ReviewPanelState; review: ReviewState }) {
  const { form, problems, offered, change } = panel;
  const { draft } = form;
  return (
    <>
      {review.offers.isOpenCoding ? (
        <p className="review-part caption">
          Open coding: enter a judgment and a note. Categories come later.
        </p>
      ) : (
        <CategoryChips
          heading={CATEGORY_HEADINGS[draft.judgment ?? "none"]}
          offered={offered}
          chosen={draft.categories}
          splits={review.splits}
          problem={problems.categories}
          typed={panel.typedCategory}
          inputRef={panel.categoryInput}
          onChange={(categories) => change({ categories })}
        />
      )}
      <EvidenceField
        evidence={draft.evidence}
        at={review.at}
        problem={problems.evidence}
        onAttach={panel.attachEvidence}
        onChange={(evidence) => change({ evidence })}
      />
      <TextPart
        id="review-note"
        label="Note"
        value={draft.notes ?? ""}
        problem={problems.notes}
        inputRef={panel.note}
        onChange={(notes) => change({ notes: notes === "" ? null : notes })}
      />
      <div className="review-part row review-confidence">
        <h3 className="grow">Confidence</h3>
        <Choices
          label="Confidence"
          values={CONFIDENCES}
          words={CONFIDENCE_WORDS}
          value={draft.confidence}
          onChange={(confidence) => change({ confidence })}
        />
        <CommandKey id="review.confidence" />
      </div>
    </>
  );
}

function AdminNote({ review, mine }: { review: ReviewState; mine: ReviewDraft["mine"] }) {
  if (mine === null || !review.othersOfAdmin.includes(mine.reviewerKey)) return null;
  return (
    <p className="review-message" role="note">
      You are changing {mine.reviewerId}’s judgment as admin. It remains theirs; history and exports show your
      change.
    </p>
  );
}

function ReviewFoot({ panel, review }: { panel: ReviewPanelState; review: ReviewState }) {
  const { form, isPending } = panel;
  return (
    <>
      <Button
        look="bare"
        onClick={panel.stepBack}
        disabled={!panel.canStepBack}
        title={panel.stepBackLabels.title}
      >
        <Undo2 size={14} aria-hidden /> {panel.stepBackLabels.label} <CommandKey id="review.undo" />
      </Button>
      {review.target.kind === "item" ? (
        <Button
          onClick={panel.skip}
          aria-disabled={isPending}
          title="Move this trial to the end of your queue"
        >
          Skip <CommandKey id="queue.skip" />
        </Button>
      ) : null}
      <Button type="submit" aria-disabled={isPending} title="Save and stay here" data-command="review.save">
        Save
      </Button>
      <Button
        look="main"
        aria-disabled={isPending}
        onClick={() => panel.save(true)}
        title={`Save, then open the next ${nameNext(review)}`}
        data-command="review.saveNext"
      >
        {form.isDirty ? "Save and next" : "Next"} <CommandKey id="review.saveNext" />
      </Button>
    </>
  );
}

function nameNext({ target }: ReviewState): string {
  if (target.kind === "item") return "trial of the queue";
  return target.list === null ? "unreviewed trial of this job" : "trial of the list";
}

function describePlace({ target, progress }: ReviewState): string {
  if (target.kind === "trial") return "";
  return `Trial ${formatCount(target.position + 1)} of ${formatCount(progress.nTrials)} of the queue`;
}

function describeProgress({ progress, problem }: ReviewState, reviewerId: string): string {
  const reviewerKey = computeReviewerKey(reviewerId);
  const isUnknown = reviewerKey === "" || problem !== null;
  const total =
    progress.kind === "queue"
      ? `${formatPlural(progress.nTrials, "trial")} in this queue`
      : `${formatPlural(progress.nTrials, "finished trial")} in this job`;
  if (isUnknown) return total;
  const nMine = progress.kind === "queue" ? progress.nMine : (progress.nReviewed[reviewerKey] ?? 0);
  return `You reviewed ${formatCount(nMine)} of ${total}`;
}

/** Offers the undone judgment as a draft, but not automatically: an undone judgment must not look saved. */
function UndoneJudgment({
  form: { mine, isDirty },
  onUse,
}: {
  form: ReviewDraft;
  onUse: (version: Annotation) => void;
}) {
  const undone = isDirty ? null : findUndone(mine);
  if (undone === null) return null;
  return (
    <div className="review-message">
      <p>Undone: {JUDGMENT_WORDS[undone.judgment]}. Your text is kept in the history.</p>
      <p className="flow review-message-actions">
        <Button data-command="review.again" onClick={() => onUse(undone)}>
          Use this text again <CommandKey id="review.again" />
        </Button>
      </p>
    </div>
  );
}

function findUndone(mine: ReviewDraft["mine"]): Annotation | null {
  if (mine === null || mine.versions.some(({ versionId }) => versionId === mine.headVersionId)) return null;
  const undone = mine.versions.filter(({ status }) => status === "withdrawn");
  return undone.toSorted((a, b) => compareText(b.withdrawnAt ?? "", a.withdrawnAt ?? ""))[0] ?? null;
}
