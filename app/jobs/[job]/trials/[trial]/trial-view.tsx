import { RecordedJudgments } from "@/components/annotations/recorded-judgments";
import { ReviewPanel, ReviewPanelSkeleton } from "@/components/annotations/review-panel";
import { type Crumb, PageFrame } from "@/components/shell/page-frame";
import { FailureNote } from "@/components/trial/failure-note";
import { ResultStrip } from "@/components/trial/result-strip";
import { TaskStrip } from "@/components/trial/task-strip";
import { FoundList } from "@/components/trial/trajectory/found-list";
import { Outline } from "@/components/trial/trajectory/outline";
import { StepStrip } from "@/components/trial/trajectory/step-strip";
import { StepTools } from "@/components/trial/trajectory/step-tools";
import { TraceSource } from "@/components/trial/trajectory/trace-source";
import { TrialAside } from "@/components/trial/trial-aside";
import { TrialKeys } from "@/components/trial/trial-keys";
import { nameTrialsList } from "@/components/trial/trial-neighbours";
import { ExceptionNotes, LineageNote } from "@/components/trial/trial-notes";
import { nameTrial, TrialTabs, TrialTitle } from "@/components/trial/trial-title";
import { VerifierNotes } from "@/components/trial/verifier/verifier-notes";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { PanelBoundary } from "@/components/ui/panel-boundary";
import { jobHref } from "@/lib/pages/address/href";
import { recordedHref } from "@/lib/pages/annotations/recorded-address";
import { getReviewState } from "@/lib/pages/annotations/review";
import { QUEUES_HREF, queueHref } from "@/lib/pages/annotations/review-address";
import { getTrialAnswers } from "@/lib/pages/annotations/suggestions";
import type { QueueItemView } from "@/lib/pages/queues/item";
import { listShownTabs, openTrialHref, type TrialParams } from "@/lib/pages/trial/address";
import type { TrialPage, TrialWindow } from "@/lib/pages/trial/page";

import { drawFilesAside, drawTab } from "./tab-content";

import "@/components/trial/trial.css";

export function prepareWindow(search: TrialParams, queueItem: QueueItemView | null): TrialWindow {
  const { source, step, from, find, lanes, keys, dimensions, tests, tags, checks, test } = search;
  return {
    starts: { keys, dimensions, tests, tags, checks, test },
    // A hidden tab falls back to the trajectory.
    steps:
      search.tab === "trajectory" || queueItem !== null
        ? { source, step, from, find: find === "" ? null : { ...search, text: find }, filter: search, lanes }
        : null,
    rubric: search,
    list: search.list,
    queueItem,
  };
}

export async function drawTrial(page: TrialPage, asked: TrialParams, unknown: readonly string[]) {
  const isShown = listShownTabs(page.hidden).includes(asked.tab);
  const search: TrialParams = isShown ? asked : { ...asked, tab: "trajectory" };
  const isAtSteps = search.tab === "trajectory";
  const { trajectory } = page;
  const answers = await getTrialAnswers(page);
  return (
    <PageFrame narrow unknown={unknown} crumbs={listCrumbs(page)}>
      <TrialTitle page={page} tab={search.tab} />
      <ResultStrip page={page} />
      <TaskStrip page={page} />
      {isAtSteps && trajectory.strip !== null && trajectory.nAll > 1 ? (
        <PanelBoundary what="The strip of all steps">
          <StepStrip strip={trajectory.strip} phases={page.trial.phases} />
        </PanelBoundary>
      ) : null}
      <div className="trial-columns">
        <PanelBoundary what="What is known of this trial">
          {search.tab === "files" ? (
            <DelayedSuspense fallback={<p className="trial-aside muted">Listing the files …</p>}>
              {drawFilesAside(page, search)}
            </DelayedSuspense>
          ) : trajectory.found !== null && trajectory.found.nSteps > 0 ? (
            <FoundList page={page} search={search} />
          ) : (
            <TrialAside page={page} search={search} answers={answers}>
              <Outline page={page} search={search} currentKey={isAtSteps ? trajectory.currentKey : null} />
            </TrialAside>
          )}
        </PanelBoundary>
        <div className="trial-middle">
          <FailureNote page={page} answers={answers} />
          <ExceptionNotes page={page} />
          <LineageNote page={page} />
          <VerifierNotes page={page} />
          <TrialTabs page={page} current={search.tab} />
          {isAtSteps ? (
            <PanelBoundary what="What leads through the steps">
              {trajectory.nAll === 0 ? null : <TraceSource page={page} asked={search.source} />}
              {trajectory.nAll === 0 ? null : <StepTools page={page} search={search} />}
            </PanelBoundary>
          ) : null}
          <PanelBoundary what="This tab" key={nameTab(search)}>
            <DelayedSuspense fallback={<p className="muted">Reading the trial folder …</p>}>
              {drawTab(page, search)}
            </DelayedSuspense>
          </PanelBoundary>
        </div>
        <DelayedSuspense fallback={<ReviewPanelSkeleton />}>{drawReview(page)}</DelayedSuspense>
      </div>
      <TrialKeys />
    </PageFrame>
  );
}

/** A React key: the list of steps remounts only when its window, its filter or the open step changes. */
function nameTab(search: TrialParams): string {
  return JSON.stringify(search.tab === "trajectory" ? search.source : search);
}

function listCrumbs(page: TrialPage): readonly Crumb[] {
  const { job, queueItem } = page;
  if (queueItem === null)
    return [
      { label: "Jobs", href: "/" },
      { label: job.name, href: jobHref(job.key) },
      { label: nameTrial(page) },
    ];
  const { head } = queueItem;
  return [
    { label: "Annotations", href: "/annotations" },
    { label: "Queues", href: QUEUES_HREF },
    { label: head.settings.name, href: queueHref(head.queueId) },
    { label: nameTrial(page) },
  ];
}

async function drawReview(page: TrialPage) {
  const { at, job, trial, ledger, queueItem } = page;
  const target =
    queueItem === null
      ? ({ kind: "trial", jobKey: job.key, trialKey: trial.key, list: at.list } as const)
      : ({ kind: "item", queueId: queueItem.head.queueId, position: queueItem.position } as const);
  return (
    <ReviewPanel review={await getReviewState(target)} listWords={nameTrialsList(page)}>
      {ledger === null ? null : (
        <RecordedJudgments
          judgments={ledger.judgments}
          reviewers={ledger.reviewers}
          listHref={recordedHref(job.key)}
          hrefOf={(file) => openTrialHref(at, { tab: "files", file })}
        />
      )}
    </ReviewPanel>
  );
}
