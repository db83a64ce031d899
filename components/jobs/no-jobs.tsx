import { ButtonLink } from "@/components/ui/button";
import { type Filter, type Filtered, NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { JOBS_FACETS, jobsHref, type JobsParams } from "@/lib/pages/jobs/address";

import { FACET_LABELS } from "./jobs-filters";

export function NoJobs({ roots }: { roots: readonly { readonly label: string; readonly path: string }[] }) {
  return (
    <Notice
      title={
        roots.length === 0 ? "No folder is open" : `No jobs in ${roots.map((root) => root.label).join(", ")}`
      }
      code={roots.length === 0 ? "npm start -- path/to/jobs" : roots.map((root) => root.path).join("\n")}
      actions={<ButtonLink href={"/load-report"}>Load report</ButtonLink>}
    >
      A job is a folder with Harbor&rsquo;s result.json or config.json and one folder per trial. Start Assay
      with the folder that contains your jobs. The load report lists problems.
    </Notice>
  );
}

const FILTERS: readonly Filter<JobsParams>[] = [
  ["Text", { text: "" }],
  ["Finished since", { since: null }],
  ...JOBS_FACETS.map((facet): Filter<JobsParams> => [FACET_LABELS[facet], { [facet]: [] }]),
];

export function NoJobMatches(list: Filtered<JobsParams>) {
  return <NoMatches {...list} noun="job" filters={FILTERS} hrefOf={jobsHref} />;
}
