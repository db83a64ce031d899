import { type Crumb, PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { PrefetchLink } from "@/components/ui/prefetch-link";
import { TimeText } from "@/components/ui/time-text";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { jobHref } from "@/lib/pages/address/href";
import type { JobPage, ReadingState } from "@/lib/pages/job/page";

interface ReadingProps {
  readonly job: JobPage["job"];
  readonly reading: ReadingState;
}

export function JobReadingPage({ job, reading, part }: ReadingProps & { part?: string }) {
  const { name, key } = job;
  const crumbs: readonly Crumb[] =
    part === undefined ? [{ label: name }] : [{ label: name, href: jobHref(key) }, { label: part }];
  return (
    <PageFrame crumbs={[RUNS, ...crumbs]}>
      <PageTitle title={name} />
      <JobReading job={job} reading={reading} />
    </PageFrame>
  );
}

function JobReading({ job, reading }: ReadingProps) {
  const { nTrials, when } = job;
  const { place, nTrialsRead, nTrialsToRead, failure } = reading;
  if (failure !== null)
    return (
      <Notice title="Its trials could not be read">
        <p>{failure}</p>
        <p>
          The <PrefetchLink href="/load-report">load report</PrefetchLink> can rescan; other jobs are not
          affected.
        </p>
      </Notice>
    );
  return (
    <Notice title="Its trials are being read">
      <p>
        {nTrials === 0 ? "No trial folder" : formatPlural(nTrials, "trial folder")} found in{" "}
        <code>{place}</code>
        {when === null ? null : (
          <>
            , last written <TimeText time={when} />
          </>
        )}
        .
      </p>
      <p>
        {nTrialsToRead === 0
          ? "Rewards, outcomes and figures appear once they are read."
          : `${formatCount(nTrialsRead)} of ${formatPlural(nTrialsToRead, "trial")} of the open folders so far; this page updates automatically.`}
      </p>
    </Notice>
  );
}
