import type { Metadata } from "next";

import { DiffFilesPanel } from "@/components/diff/diff-files";
import { DiffDimensionsPanel, DiffOverview, DiffTestsPanel } from "@/components/diff/diff-overview";
import { DiffStepsPanel } from "@/components/diff/diff-steps";
import { DiffNotFound, DiffPicker, DiffTabs, DiffTitle, NothingChosen } from "@/components/diff/diff-title";
import { PageFrame } from "@/components/shell/page-frame";
import { COMPARE } from "@/components/shell/places";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { Notice } from "@/components/ui/notice";
import { PanelBoundary } from "@/components/ui/panel-boundary";
import { formatTask } from "@/lib/core/format/words";
import type { SearchValues } from "@/lib/pages/address/address";
import { jobHref } from "@/lib/pages/address/href";
import { diffAddress, type DiffParams } from "@/lib/pages/diff/address";
import {
  type DiffPage,
  describeDiffTrial,
  getDiffFiles,
  getDiffPage,
  getPicker,
  locateBoth,
} from "@/lib/pages/diff/page";
import { openTrialHref } from "@/lib/pages/trial/address";

export async function generateMetadata({ searchParams }: PageProps<"/diff">): Promise<Metadata> {
  const { a, b } = diffAddress.read(await searchParams);
  const { a: located } = await locateBoth(a, b);
  return { title: located === null ? "Side by side" : `${formatTask(located.trial)}, side by side` };
}

export default async function DiffRoute({ searchParams }: PageProps<"/diff">) {
  return (
    <DelayedSuspense fallback={<p className="muted">Reading both trial folders …</p>}>
      {drawPage(await searchParams)}
    </DelayedSuspense>
  );
}

async function drawPage(values: SearchValues) {
  const params = diffAddress.read(values);
  const unknown = diffAddress.listUnknown(values);
  const { a, b } = await locateBoth(params.a, params.b);
  if (a === null) {
    return (
      <PageFrame crumbs={[COMPARE, { label: "Side by side" }]} unknown={unknown}>
        {params.a === null ? <NothingChosen /> : <DiffNotFound letter="A" named={params.a} />}
      </PageFrame>
    );
  }
  const { job, trial } = a;
  const crumbs = [
    COMPARE,
    { label: job.name, href: jobHref(job.key) },
    {
      label: formatTask(trial),
      href: openTrialHref({ jobKey: job.key, trialKey: trial.key, list: null, queue: null }),
    },
    { label: "Side by side" },
  ];
  if (b === null || params.isPicking) {
    return (
      <PageFrame narrow crumbs={crumbs} unknown={unknown}>
        {b === null && params.b !== null ? <DiffNotFound letter="B" named={params.b} /> : null}
        <DiffPicker
          trial={await describeDiffTrial(a)}
          picker={await getPicker(a, params.page)}
          params={params}
        />
      </PageFrame>
    );
  }
  const { row, from, isUnfolded, tests, tab } = params;
  const page = await getDiffPage(a, b, {
    window: tab === "trajectory" ? { row: row === null ? null : row - 1, from, isUnfolded } : null,
    tests,
  });
  return (
    <PageFrame narrow crumbs={crumbs} unknown={unknown}>
      <DiffTitle page={page} params={params} />
      {page.failure === null ? (
        <PanelBoundary what="Results of both trials">
          <DiffOverview page={page} params={params} />
        </PanelBoundary>
      ) : (
        <Notice title="Steps, tests and dimensions cannot be compared" tone="error">
          {page.failure}
        </Notice>
      )}
      <DiffTabs page={page} params={params} />
      {page.failure !== null && tab !== "files" ? null : (
        <PanelBoundary what="This tab" key={JSON.stringify(params)}>
          <DelayedSuspense fallback={<p className="muted">Comparing both trial folders …</p>}>
            {drawTab(page, params)}
          </DelayedSuspense>
        </PanelBoundary>
      )}
    </PageFrame>
  );
}

async function drawTab(page: DiffPage, params: DiffParams) {
  switch (params.tab) {
    case "trajectory":
      return <DiffStepsPanel page={page} params={params} />;
    case "tests":
      return <DiffTestsPanel page={page} params={params} />;
    case "dimensions":
      return <DiffDimensionsPanel page={page} />;
    case "files":
      return <DiffFilesPanel page={page} params={params} files={await getDiffFiles(page, params.file)} />;
  }
}
