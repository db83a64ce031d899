import type { Metadata } from "next";

import { BesideFilesPanel } from "@/components/diff/diff-files";
import { BesideNotFound, NothingChosen } from "@/components/diff/diff-notices";
import { BesideOverview } from "@/components/diff/diff-overview";
import { BesidePicker } from "@/components/diff/diff-picker";
import { BesideStepsPanel } from "@/components/diff/diff-steps";
import { BesideTabs } from "@/components/diff/diff-tabs";
import { BesideDimensionsPanel, BesideTestsPanel } from "@/components/diff/diff-tests";
import { BesideTitle } from "@/components/diff/diff-title";
import { PageFrame } from "@/components/shell/page-frame";
import { COMPARE } from "@/components/shell/places";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { Notice } from "@/components/ui/notice";
import { PanelBoundary } from "@/components/ui/panel-boundary";
import { formatTask } from "@/lib/core/format/words";
import type { SearchValues } from "@/lib/pages/address/address";
import { jobHref } from "@/lib/pages/address/href";
import { besideAddress, type BesideParams } from "@/lib/pages/diff/address";
import {
  type BesidePage,
  describeBesideTrial,
  getBesideFiles,
  getBesidePage,
  getPicker,
  locateBoth,
} from "@/lib/pages/diff/page";
import { openTrialHref } from "@/lib/pages/trial/address";

export async function generateMetadata({ searchParams }: PageProps<"/beside">): Promise<Metadata> {
  const { a, b } = besideAddress.read(await searchParams);
  const { a: located } = await locateBoth(a, b);
  return { title: located === null ? "Side by side" : `${formatTask(located.trial)}, side by side` };
}

export default async function BesideRoute({ searchParams }: PageProps<"/beside">) {
  return (
    <DelayedSuspense fallback={<p className="muted">Reading both trial folders …</p>}>
      {drawPage(await searchParams)}
    </DelayedSuspense>
  );
}

async function drawPage(values: SearchValues) {
  const params = besideAddress.read(values);
  const unknown = besideAddress.listUnknown(values);
  const { a, b } = await locateBoth(params.a, params.b);
  if (a === null) {
    return (
      <PageFrame crumbs={[COMPARE, { label: "Side by side" }]} unknown={unknown}>
        {params.a === null ? <NothingChosen /> : <BesideNotFound letter="A" named={params.a} />}
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
        {b === null && params.b !== null ? <BesideNotFound letter="B" named={params.b} /> : null}
        <BesidePicker
          trial={await describeBesideTrial(a)}
          picker={await getPicker(a, params.page)}
          params={params}
        />
      </PageFrame>
    );
  }
  const { row, from, isUnfolded, tests, tab } = params;
  const page = await getBesidePage(a, b, {
    window: tab === "trajectory" ? { row: row === null ? null : row - 1, from, isUnfolded } : null,
    tests,
  });
  return (
    <PageFrame narrow crumbs={crumbs} unknown={unknown}>
      <BesideTitle page={page} params={params} />
      {page.failure === null ? (
        <PanelBoundary what="Results of both trials">
          <BesideOverview page={page} params={params} />
        </PanelBoundary>
      ) : (
        <Notice title="Steps, tests and dimensions cannot be compared" tone="error">
          {page.failure}
        </Notice>
      )}
      <BesideTabs page={page} params={params} />
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

async function drawTab(page: BesidePage, params: BesideParams) {
  switch (params.tab) {
    case "trajectory":
      return <BesideStepsPanel page={page} params={params} />;
    case "tests":
      return <BesideTestsPanel page={page} params={params} />;
    case "dimensions":
      return <BesideDimensionsPanel page={page} />;
    case "files":
      return <BesideFilesPanel page={page} params={params} files={await getBesideFiles(page, params.file)} />;
  }
}
