import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Suspense } from "react";

import { RecordedJudgments } from "@/components/annotations/recorded-judgments";
import { ReviewPanel, ReviewPanelSkeleton } from "@/components/annotations/review-panel";
import { JobReadingPage } from "@/components/job/reading";
import { PageFrame } from "@/components/shell/page-frame";
import { TimelineFigure, Outline } from "@/components/trial/trajectory/trajectory-map";
import { ExceptionNotes, LineageNote } from "@/components/trial/trial-notes";
import { ResultStrip } from "@/components/trial/result-strip";
import { TrialAside } from "@/components/trial/trial-aside";
import { TrialKeys } from "@/components/trial/trial-keys";
import { TrialTabs, nameTrial, TrialTitle } from "@/components/trial/trial-title";
import { VerifierNotes } from "@/components/trial/verifier/verifier-notes";
import { PanelBoundary } from "@/components/ui/panel-boundary";
import { decodeSegment, jobHref } from "@/lib/addresses/href";
import { getReviewState } from "@/lib/queries/annotations/review";
import { getJobPage } from "@/lib/queries/job/page";
import { getTrialPage, type TrialPage } from "@/lib/queries/trial/page";

import { recordedHref } from "@/lib/addresses/recorded";

import { parseTrialParams, trialAddress, trialPageHref } from "@/lib/addresses/trial";
import { TabContent } from "./tab-content";

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
  const values = await searchParams;
  const search = parseTrialParams(values);
  const { step, from, dimensions, tests, tags, checks } = search;
  const isAtSteps = search.tab === "trajectory";
  const window = {
    starts: { keys: search.keys, dimensions, tests, tags, checks },
    steps: isAtSteps ? { step, from } : null,
    rubric: search,
  };
  const page = await getTrialPage(jobKey, trialKey, window);
  if (page === null) return <NotRead jobKey={jobKey} />;
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
      <div className="trial-columns">
        <PanelBoundary what="What is known of this trial">
          <TrialAside page={page} search={search}>
            <Outline page={page} currentKey={isAtSteps ? trajectory.currentKey : null} />
          </TrialAside>
        </PanelBoundary>
        <div className="trial-middle">
          <ExceptionNotes page={page} />
          <LineageNote page={page} />
          <VerifierNotes page={page} />
          <TrialTabs page={page} current={search.tab} />
          <PanelBoundary what="This tab" key={JSON.stringify(search)}>
            {isAtSteps && trajectory.timeline !== null ? (
              <TimelineFigure timeline={trajectory.timeline} currentKey={trajectory.currentKey} />
            ) : null}
            <Suspense fallback={<p className="muted">Reading the trial folder …</p>}>
              <TabContent page={page} search={search} />
            </Suspense>
          </PanelBoundary>
        </div>
        <Suspense fallback={<ReviewPanelSkeleton />}>
          <Review page={page} />
        </Suspense>
      </div>
      <TrialKeys />
    </PageFrame>
  );
}

async function NotRead({ jobKey }: { jobKey: string }) {
  const job = await getJobPage(jobKey);
  if (job === null || job.reading === null) notFound();
  return <JobReadingPage job={job.job} reading={job.reading} part="Trial" />;
}

async function Review({ page: { job, trial, ledger } }: { page: TrialPage }) {
  return (
    <ReviewPanel review={await getReviewState(job.key, trial.key)}>
      {ledger === null ? null : (
        <RecordedJudgments
          judgments={ledger.judgments}
          reviewers={ledger.reviewers}
          listHref={recordedHref(job.key)}
          hrefOf={(file) => trialPageHref(job.key, trial.key, { tab: "files", file })}
        />
      )}
    </ReviewPanel>
  );
}
