import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { JobReadingPage } from "@/components/job/reading";
import { TrialSkeleton } from "@/components/trial/trial-skeleton";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { decodeSegment } from "@/lib/core/domain/segment";
import type { SearchValues } from "@/lib/pages/address/address";
import { getJobPage } from "@/lib/pages/job/page";
import { getStoreOfJob } from "@/lib/pages/shell/catalog";
import { parseTrialParams, trialAddress } from "@/lib/pages/trial/address";
import { locateTrial } from "@/lib/pages/trial/locate";
import { getTrialPage } from "@/lib/pages/trial/page";

import { drawTrial, prepareWindow } from "./trial-view";

export async function generateMetadata({
  params,
}: PageProps<"/jobs/[job]/trials/[trial]">): Promise<Metadata> {
  const { job, trial } = await params;
  return { title: `${decodeSegment(trial)}, ${decodeSegment(job)}` };
}

export default async function TrialRoute({ params, searchParams }: PageProps<"/jobs/[job]/trials/[trial]">) {
  const keys = await params;
  const [jobKey, trialKey] = [decodeSegment(keys.job), decodeSegment(keys.trial)];
  // Before anything is sent, since the status could not be 404 afterwards.
  const place = await locateTrial(await getStoreOfJob(jobKey), jobKey, trialKey);
  if (place === null) return <NotRead jobKey={jobKey} />;
  return (
    <DelayedSuspense fallback={<TrialSkeleton />}>
      {drawPage(jobKey, trialKey, await searchParams)}
    </DelayedSuspense>
  );
}

async function drawPage(jobKey: string, trialKey: string, values: SearchValues) {
  const search = parseTrialParams(values);
  const page = await getTrialPage(jobKey, trialKey, prepareWindow(search, null));
  if (page === null) notFound();
  return drawTrial(page, search, trialAddress.listUnknown(values));
}

/** Before its job is read, it is unknown if a trial exists. */
async function NotRead({ jobKey }: { jobKey: string }) {
  const job = await getJobPage(jobKey);
  if (job === null || job.reading === null) notFound();
  return <JobReadingPage job={job.job} reading={job.reading} part="Trial" />;
}
