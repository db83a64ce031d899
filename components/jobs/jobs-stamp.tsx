import { Stamp } from "@/components/ui/check";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { jobsHref, type JobsParams } from "@/lib/pages/jobs/address";
import type { JobsPage } from "@/lib/pages/jobs/page";

export function JobsStamp({ page, params }: { page: JobsPage; params: JobsParams }) {
  const { nMatching, nMismatched, nUnknown, nIncomplete } = page;
  const jobs = formatPlural(nMatching, "job");
  if (nMismatched > 0) {
    const words = `${formatPlural(nMismatched, "mismatch", "mismatches")} in ${jobs}`;
    return <Stamp verdict="mismatch" words={words} href={jobsHref(params, { checks: ["mismatch"] })} />;
  }
  if (nMatching === 0 || !page.status.isComplete) return null;
  const words = `No mismatch in ${jobs}`;
  if (nUnknown > 0)
    return (
      <Stamp
        verdict="unknown-rule"
        words={`${words}, ${formatCount(nUnknown)} by a newer Harbor`}
        href={jobsHref(params, { checks: ["unknown-rule"] })}
      />
    );
  if (nIncomplete === 0)
    return <Stamp verdict="exact" words={words} href={jobsHref(params, { checks: [] })} />;
  // If nothing could be checked whole, nothing is exact either.
  return (
    <Stamp
      verdict={nIncomplete === nMatching ? "incomplete" : "exact"}
      words={`${words}, ${formatCount(nIncomplete)} with incomplete data`}
      href={jobsHref(params, { checks: ["incomplete"] })}
    />
  );
}
