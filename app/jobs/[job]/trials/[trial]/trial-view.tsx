import { RecordedJudgments } from "@/components/annotations/history";
import { ReviewPanel, ReviewPanelSkeleton } from "@/components/annotations/review-form";
import { type Crumb, PageFrame } from "@/components/shell/page-frame";
import { REVIEW, RUNS } from "@/components/shell/places";
import { CauseLine } from "@/components/trial/cause";
import { EvidencePanel, InstructionSection } from "@/components/trial/evidence-panel";
import { ChosenFiles, FilesAside, FilesPanel } from "@/components/trial/files/files-panel";
import { FoundList, Outline } from "@/components/trial/trajectory/outline";
import { StepList, type StepListLinks } from "@/components/trial/trajectory/step-list";
import { StepStrip } from "@/components/trial/trajectory/step-strip";
import { StepTools } from "@/components/trial/trajectory/step-tools";
import { TraceSource } from "@/components/trial/trajectory/trace-source";
import { StepsPanel, TrialFacts } from "@/components/trial/trial-facts";
import { TrialKeys } from "@/components/trial/trial-keys";
import { ShowAllOf, type ShownTrial } from "@/components/trial/trial-parts";
import { TrialTabs, TrialTitle, nameTrial, nameTrialsList } from "@/components/trial/trial-title";
import { TestsPanel } from "@/components/trial/verifier/tests-panel";
import { VerifierRow } from "@/components/trial/verifier/verifier-notes";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { PanelBoundary } from "@/components/ui/panel-boundary";
import { ALL_LANES } from "@/lib/core/domain/trajectory";
import { jobHref } from "@/lib/pages/address/href";
import { recordedHref } from "@/lib/pages/annotations/address";
import { getReviewState } from "@/lib/pages/annotations/review";
import { queueHref } from "@/lib/pages/annotations/review-address";
import { getTrialAnswers } from "@/lib/pages/annotations/suggestions";
import type { QueueItemView } from "@/lib/pages/queues/item";
import {
  listShownTabs,
  openTrialHref,
  type TrialParams,
  openArtifactHref,
  stepHref,
  stepImageHref,
} from "@/lib/pages/trial/address";
import { hideFile, hideFileList, hideFilesPanel } from "@/lib/pages/trial/blind";
import { getEarlierAttempts, getFileList, getFilesPanel, getFoundInFiles } from "@/lib/pages/trial/files";
import type { TrialPage, TrialWindow } from "@/lib/pages/trial/page";

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

export async function drawTrial(read: TrialPage, asked: TrialParams, unknown: readonly string[]) {
  const { trajectory } = read;
  const tab = listShownTabs(read.hidden).includes(asked.tab) ? asked.tab : "trajectory";
  const hasSteps = trajectory.nAll > 0;
  // The Evidence tab explains a missing trace.
  const search: TrialParams = { ...asked, tab: hasSteps || tab !== "trajectory" ? tab : "evaluation" };
  const page: ShownTrial = { ...read, search, answers: await getTrialAnswers(read) };
  const isAtSteps = search.tab === "trajectory";
  return (
    <PageFrame narrow unknown={unknown} crumbs={listCrumbs(page)}>
      <TrialTitle page={page} />
      <CauseLine page={page} />
      <PanelBoundary what="The timeline">
        <StepStrip strip={trajectory.strip} trial={pickTimes(page.trial)} />
      </PanelBoundary>
      <div className="flow trial-bar">
        <TrialTabs page={page} />
        {isAtSteps ? (
          <PanelBoundary what="Step navigation">
            <StepTools page={page} />
          </PanelBoundary>
        ) : null}
      </div>
      <div className="trial-columns">
        <PanelBoundary what="Trial details">
          {search.tab === "files" ? (
            <DelayedSuspense fallback={<p className="trial-aside muted">Listing the files …</p>}>
              {drawFilesAside(page)}
            </DelayedSuspense>
          ) : isAtSteps && trajectory.found !== null && trajectory.found.nSteps > 0 ? (
            <FoundList page={page} />
          ) : (
            <Outline page={page} />
          )}
        </PanelBoundary>
        <div>
          <PanelBoundary what="This tab" key={nameTab(search)}>
            <DelayedSuspense fallback={<p className="muted">Reading the trial folder …</p>}>
              {drawTab(page)}
            </DelayedSuspense>
          </PanelBoundary>
        </div>
        <div className="trial-side">
          <DelayedSuspense fallback={<ReviewPanelSkeleton />}>{drawReview(page)}</DelayedSuspense>
          <InstructionSection page={page} />
        </div>
      </div>
      <TrialKeys />
    </PageFrame>
  );
}

/** Omits the other fields, because props of client components are sent to the browser. */
function pickTimes({ time, phases, tokens }: TrialPage["trial"]) {
  return { time, phases, tokens };
}

/** A React key: the list of steps remounts only when its window, its filter or the open step changes. */
function nameTab(search: TrialParams): string {
  return JSON.stringify(search.tab === "trajectory" ? search.source : search);
}

function listCrumbs(page: TrialPage): readonly Crumb[] {
  const { job, queueItem } = page;
  if (queueItem === null)
    return [RUNS, { label: job.name, href: jobHref(job.key) }, { label: nameTrial(page) }];
  const { head } = queueItem;
  return [REVIEW, { label: head.settings.name, href: queueHref(head.queueId) }, { label: nameTrial(page) }];
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

const NO_FILTER = { roles: [], tools: [], paths: [], range: null, only: [] };

async function drawTab(page: ShownTrial) {
  const { search } = page;
  const own = { ...findKeys(page), attempt: null };
  switch (search.tab) {
    case "trajectory": {
      const links: StepListLinks = {
        step: (step) => stepHref(page.at, search, { step }),
        from: (from) => stepHref(page.at, search, { step: search.step, from }),
        lane: (name, starter) => changeLanes(page, name, starter),
        unfiltered: stepHref(page.at, search, { ...NO_FILTER, step: search.step }),
        artifact: (file) => openArtifactHref(page.at, file),
        image: (step, nth) => stepImageHref(page.at, step, nth, search.source),
      };
      const end = <VerifierRow page={page} />;
      return (
        <>
          <TraceSource page={page} />
          <StepList panel={page.trajectory} links={links} named={search} end={end} />
        </>
      );
    }
    case "steps":
      return <StepsPanel page={page} />;
    case "tests":
      return <TestsPanel page={page} />;
    case "evaluation":
      return <EvidencePanel page={page} />;
    case "files":
      return (
        <FilesPanel
          panel={hideFilesPanel(
            await getFilesPanel({ ...own, attempt: search.attempt }, hideFile(search, page.hidden)),
            page.hidden,
          )}
          page={page}
        />
      );
    case "log": {
      const panel = await getFilesPanel(own, { ...search, selection: "logs" });
      return <ChosenFiles panel={panel} page={page} none="This trial has no log" />;
    }
    case "config": {
      const panel = await getFilesPanel(own, { ...search, selection: "records" });
      return (
        <>
          <ShowAllOf page={page} file={page.recordFile} />
          <TraceSource page={page} />
          <TrialFacts page={page} />
          <ChosenFiles panel={panel} page={page} none="This trial has no result.json or config.json" />
        </>
      );
    }
  }
}

/** A queue's page does not name its job in file URLs. */
function findKeys({ queueItem, job, trial }: TrialPage) {
  const place = queueItem?.place ?? null;
  return place === null
    ? { jobKey: job.key, trialKey: trial.key }
    : { jobKey: place.jobKey, trialKey: place.key };
}

/** Returns the URL of the list with one more subagent, or without one, in the same window. */
function changeLanes({ at, trajectory, search }: ShownTrial, name: string, starter: string | null) {
  const { offset: from, steps, started } = trajectory;
  if (starter === null)
    return stepHref(at, search, { step: search.step, from, lanes: [...search.lanes, name] });
  const above = new Map(started);
  const asked = search.lanes.includes(ALL_LANES) ? [...above.keys()].slice(0, MOST_NAMED) : search.lanes;
  const lanes = asked.filter((one) => one !== name && one !== ALL_LANES);
  // A step of a subagent, or of one below it, keeps it open.
  let lane = steps.find(({ isCurrent }) => isCurrent)?.lane;
  while (lane !== undefined && lane !== name) lane = above.get(lane);
  return stepHref(at, search, { step: lane === name ? starter : search.step, from, lanes });
}

/** Most subagents that a URL names when one of all is closed. */
const MOST_NAMED = 50;

async function drawFilesAside(page: ShownTrial) {
  const { search } = page;
  const { jobKey, trialKey } = findKeys(page);
  const of = { jobKey, trialKey, attempt: search.attempt };
  const isSought = search.find !== "" && page.hidden.length === 0;
  return (
    <FilesAside
      page={page}
      list={hideFileList(await getFileList(of), page.hidden)}
      attempts={page.hidden.length > 0 ? [] : await getEarlierAttempts(jobKey, trialKey)}
      found={isSought ? await getFoundInFiles(of, { ...search, text: search.find }) : null}
    />
  );
}
