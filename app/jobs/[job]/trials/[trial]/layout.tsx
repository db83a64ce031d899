import { notFound } from "next/navigation";

import { decodeSegment } from "@/lib/addresses/href";
import { getJobPage } from "@/lib/queries/job/page";
import { getStore } from "@/lib/queries/shell/catalog";
import { locateTrial } from "@/lib/queries/trial/locate";

/**
 * Looks the trial up before anything is sent: what `loading.tsx` shows meanwhile would go out as a page that was found. The
 * page asks the same, once.
 */
export default async function TrialLayout({ params, children }: LayoutProps<"/jobs/[job]/trials/[trial]">) {
  const keys = await params;
  const jobKey = decodeSegment(keys.job);
  if ((await locateTrial(await getStore(), jobKey, decodeSegment(keys.trial))) === null) {
    const job = await getJobPage(jobKey);
    // Before its job is read nobody can say whether a trial is there.
    if (job === null || job.reading === null) notFound();
  }
  return children;
}
