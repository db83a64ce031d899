import { artifactHref } from "@/lib/addresses/trial";
import { isJobFile } from "@/lib/domain/job-file";
import { jobHref, trialHref } from "@/lib/addresses/href";
import type { PlacedIssue } from "@/lib/store";

import type { ReportIssue } from "./load-report";

/** Issues with the file that each is about, or else the page of its trial or job. */
export function linkIssues(issues: readonly PlacedIssue[]): readonly ReportIssue[] {
  return issues.map(({ place, ...issue }) => ({ ...issue, link: linkPlace(place) }));
}

function linkPlace(place: PlacedIssue["place"]): ReportIssue["link"] {
  if (place === null) return null;
  const { jobKey, trialKey, file } = place;
  if (file !== "" && (trialKey !== null || isJobFile(file)))
    return { href: artifactHref(jobKey, trialKey, file), isFile: true };
  return { href: trialKey === null ? jobHref(jobKey) : trialHref(jobKey, trialKey), isFile: false };
}
