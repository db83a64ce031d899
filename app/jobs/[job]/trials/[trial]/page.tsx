import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { RecordedJudgments } from "@/components/annotations/recorded-judgments";
import { ReviewPanel, ReviewPanelSkeleton } from "@/components/annotations/review-panel";
import { JobReadingPage } from "@/components/job/reading";
import { PageFrame } from "@/components/shell/page-frame";
import { StepTools } from "@/components/trial/trajectory/step-tools";
import { TraceSource } from "@/components/trial/trajectory/trace-source";
import { Outline } from "@/components/trial/trajectory/outline";
import { StepStrip } from "@/components/trial/trajectory/step-strip";
import { FoundList } from "@/components/trial/trajectory/found-list";
import { ExceptionNotes, LineageNote } from "@/components/trial/trial-notes";
import { ResultStrip } from "@/components/trial/result-strip";
import { TaskStrip } from "@/components/trial/task-strip";
import { TrialAside } from "@/components/trial/trial-aside";
import { TrialKeys } from "@/components/trial/trial-keys";
import { TrialSkeleton } from "@/components/trial/trial-skeleton";
import { TrialTabs, nameTrial, TrialTitle } from "@/components/trial/trial-title";
import { VerifierNotes } from "@/components/trial/verifier/verifier-notes";
import { PanelBoundary } from "@/components/ui/panel-boundary";
import { Soon } from "@/components/ui/soon";
import type { SearchValues } from "@/lib/addresses/address";
import { decodeSegment, jobHref } from "@/lib/addresses/href";
import { getReviewState } from "@/lib/queries/annotations/review";
import { getJobPage } from "@/lib/queries/job/page";
import { getStore } from "@/lib/queries/shell/catalog";
import { locateTrial } from "@/lib/queries/trial/locate";
import { getTrialPage, type TrialPage } from "@/lib/queries/trial/page";

import { recordedHref } from "@/lib/addresses/recorded";

import { openTrialHref, parseTrialParams, trialAddress, type TrialParams } from "@/lib/addresses/trial";
import { drawFilesAside, drawTab } from "./tab-content";

import "@/components/trial/trial.css";

export async function generateMetadata({
  params,
}: PageProps<"/jobs/[job]/trials/[trial]">): Promise<Metadata> {
  const { job, trial } = await params;
  return { title: `${decodeSegment(trial)}, ${decodeSegment(job)}` };
}

export default async function TrialRoute({ params, searchParams }: PageProps<"/jobs/[job]/trials/[trial]">) {
  const keys = await params;
  const [jobKey, trialKey] = [decodeSegment(keys.job), decodeSegment(keys.trial)];
  // Before anything is sent, since that would go out as a page that was found.
  const place = await locateTrial(await getStore(), jobKey, trialKey);
  if (place === null) return <NotRead jobKey={jobKey} />;
  return <Soon fallback={<TrialSkeleton />}>{drawPage(jobKey, trialKey, await searchParams)}</Soon>;
}

async function drawPage(jobKey: string, trialKey: string, values: SearchValues) {
  const search = parseTrialParams(values);
  const { source, step, from, find, lanes, dimensions, tests, tags, checks } = search;
  const isAtSteps = search.tab === "trajectory";
  const window = {
    starts: { keys: search.keys, dimensions, tests, tags, checks },
    steps: isAtSteps
      ? { source, step, from, find: find === "" ? null : { ...search, text: find }, filter: search, lanes }
      : null,
    rubric: search,
    list: search.list,
  };
  const page = await getTrialPage(jobKey, trialKey, window);
  if (page === null) notFound();
  const { job, trajectory } = page;
  return (
    <PageFrame
      narrow
      unknown={trialAddress.listUnknown(values)}
      crumbs={[
        { label: "Jobs", href: "/" },
        { label: job.name, href: jobHref(job.key) },
        { label: nameTrial(page) },
      ]}
    >
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
            <Soon fallback={<p className="trial-aside muted">Listing the files …</p>}>
              {drawFilesAside(page, search)}
            </Soon>
          ) : trajectory.found !== null && trajectory.found.nSteps > 0 ? (
            <FoundList page={page} search={search} />
          ) : (
            <TrialAside page={page} search={search}>
              <Outline page={page} search={search} currentKey={isAtSteps ? trajectory.currentKey : null} />
            </TrialAside>
          )}
        </PanelBoundary>
        <div className="trial-middle">
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
            <Soon fallback={<p className="muted">Reading the trial folder …</p>}>
              {drawTab(page, search)}
            </Soon>
          </PanelBoundary>
        </div>
        <Soon fallback={<ReviewPanelSkeleton />}>{drawReview(page)}</Soon>
      </div>
      <TrialKeys />
    </PageFrame>
  );
}

/** What is drawn anew when it changes: the list of steps stays while its window, its filter and the open step change. */
function nameTab(search: TrialParams): string {
  return JSON.stringify(search.tab === "trajectory" ? search.source : search);
}

/** Before its job is read nobody can say whether a trial is there. */
async function NotRead({ jobKey }: { jobKey: string }) {
  const job = await getJobPage(jobKey);
  if (job === null || job.reading === null) notFound();
  return <JobReadingPage job={job.job} reading={job.reading} part="Trial" />;
}

async function drawReview({ at, job, trial, ledger }: TrialPage) {
  return (
    <ReviewPanel review={await getReviewState(job.key, trial.key, at.list)}>
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
