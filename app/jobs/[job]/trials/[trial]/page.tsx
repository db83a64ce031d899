import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Suspense } from "react";

import { ReviewPanel, ReviewPanelSkeleton } from "@/components/annotations/review-panel";
import { JobReadingPage } from "@/components/jobs/job-reading";
import { PageFrame } from "@/components/shell/page-frame";
import { StepList } from "@/components/trajectory/step-list";
import { TimelineFigure } from "@/components/trajectory/timeline-figure";
import { EvaluationPanel } from "@/components/trials/evaluation-panel";
import { ExceptionNotes } from "@/components/trials/exception-note";
import { ChosenFiles, FilesPanel } from "@/components/trials/files-panel";
import { NoTrajectory } from "@/components/trials/no-trajectory";
import { OutlineSection } from "@/components/trials/outline-section";
import { ResultStrip } from "@/components/trials/result-strip";
import { StepsPanel } from "@/components/trials/steps-panel";
import { TestsPanel } from "@/components/trials/tests-panel";
import { TrialAside } from "@/components/trials/trial-aside";
import { TrialFacts } from "@/components/trials/trial-facts";
import { TrialKeys } from "@/components/trials/trial-keys";
import { TrialTabs } from "@/components/trials/trial-tabs";
import { nameTrial, TrialTitle } from "@/components/trials/trial-title";
import { VerifierNotes } from "@/components/trials/verifier-notes";
import { VerifierRow } from "@/components/trials/verifier-row";
import { decodeSegment, jobHref } from "@/lib/format/href";
import { getReviewState } from "@/lib/queries/annotations-page-review";
import { getJobPage } from "@/lib/queries/job-page";
import { getTrialPageOrNull, type TrialPage } from "@/lib/queries/trial-page";
import { getEvaluationPanel } from "@/lib/queries/trial-page-evaluation";
import { getFilesPanel } from "@/lib/queries/trial-page-files";
import { getTrialRubric } from "@/lib/queries/trial-page-rubric";
import { getTrajectoryMap, getTrajectoryPanel, WINDOW_STEPS } from "@/lib/queries/trial-page-steps";

import { artifactHref, parseTrialParams, type TrialParams, trialPageHref } from "./search-params";

import "@/components/trials/trial.css";

export async function generateMetadata({
  params,
}: PageProps<"/jobs/[job]/trials/[trial]">): Promise<Metadata> {
  const { job, trial } = await params;
  return { title: `${decodeSegment(trial)}, ${decodeSegment(job)}` };
}

export default async function TrialRoute({ params, searchParams }: PageProps<"/jobs/[job]/trials/[trial]">) {
  const keys = await params;
  const search = parseTrialParams(await searchParams);
  const page = await getTrialPageOrNull(decodeSegment(keys.job), decodeSegment(keys.trial));
  if (page === null) return <NotRead jobKey={decodeSegment(keys.job)} />;
  const { entry, trial } = page;
  const year = new Date().getUTCFullYear();
  const rubric = await getTrialRubric(entry.job.key, trial.key, search.rubric);
  const map = await getTrajectoryMap(entry.job.key, trial.key);
  const currentKey = search.step ?? map.landingKey;
  return (
    <PageFrame
      narrow
      crumbs={[
        { label: "Jobs", href: "/" },
        { label: entry.job.name, href: jobHref(entry.job.key) },
        { label: nameTrial(page) },
      ]}
    >
      <TrialTitle page={page} year={year} tab={search.tab} />
      <ResultStrip page={page} />
      <div className="trial-columns">
        <TrialAside page={page} rubric={rubric} search={search}>
          <OutlineSection
            page={page}
            map={map}
            currentKey={search.tab === "trajectory" ? currentKey : null}
          />
        </TrialAside>
        <div className="trial-middle">
          <ExceptionNotes exceptions={page.exceptions} year={year} />
          <VerifierNotes page={page} />
          <TrialTabs page={page} current={search.tab} />
          {search.tab === "trajectory" && map.timeline !== null ? (
            <TimelineFigure timeline={map.timeline} currentKey={currentKey} />
          ) : null}
          <Suspense
            key={JSON.stringify(search)}
            fallback={<p className="muted">Reading the trial folder …</p>}
          >
            <TabContent page={page} search={search} />
          </Suspense>
        </div>
        <Suspense fallback={<ReviewPanelSkeleton />}>
          <Review jobKey={entry.job.key} trialKey={trial.key} />
        </Suspense>
      </div>
      <TrialKeys />
    </PageFrame>
  );
}

async function NotRead({ jobKey }: { jobKey: string }) {
  const job = await getJobPage(jobKey);
  if (job === null || job.reading === null) notFound();
  return <JobReadingPage entry={job.entry} reading={job.reading} part="Trial" />;
}

async function Review({ jobKey, trialKey }: { jobKey: string; trialKey: string }) {
  return <ReviewPanel review={await getReviewState(jobKey, trialKey)} />;
}

async function TabContent({ page, search }: { page: TrialPage; search: TrialParams }) {
  const { entry, trial } = page;
  const [job, key] = [entry.job.key, trial.key];
  const place = { jobKey: job, trialKey: key, tab: search.tab, end: search.end, line: search.line };
  switch (search.tab) {
    case "trajectory": {
      const panel = await getTrajectoryPanel(job, key, search);
      if (panel.total === 0) return <NoTrajectory page={page} />;
      const links = {
        step: (step: string) => trialPageHref(job, key, { step }),
        from: (from: number) => trialPageHref(job, key, { step: search.step, from }),
        artifact: (file: string) => artifactHref(job, key, file),
      };
      const end = <VerifierRow page={page} />;
      return (
        <StepList
          panel={panel}
          links={links}
          isStepNamed={search.step !== null}
          windowSteps={WINDOW_STEPS}
          end={end}
        />
      );
    }
    case "steps":
      return <StepsPanel steps={trial.steps ?? []} rewards={page.stepRewards} />;
    case "tests":
      return <TestsPanel reports={page.tests} />;
    case "evaluation":
      return <EvaluationPanel panel={await getEvaluationPanel(job, key)} place={place} />;
    case "files":
      return (
        <FilesPanel panel={await getFilesPanel(job, key, { ...search, selection: "all" })} place={place} />
      );
    case "log": {
      const panel = await getFilesPanel(job, key, { ...search, selection: "logs" });
      return <ChosenFiles panel={panel} place={place} none="This trial left no log" />;
    }
    case "config": {
      const panel = await getFilesPanel(job, key, { ...search, selection: "records" });
      return (
        <>
          <TrialFacts trial={trial} jobName={entry.job.name} />
          <ChosenFiles panel={panel} place={place} none="This trial left no result.json or config.json" />
        </>
      );
    }
  }
}
