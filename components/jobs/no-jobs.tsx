import { countFilters } from "@/lib/addresses/address";
import { JOBS_FACETS, jobsHref, type JobsParams } from "@/lib/addresses/jobs";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { formatPlural } from "@/lib/format/number";

/** Nothing under the opened folders looks like a job. */
export function NoJobs({ roots }: { roots: readonly { readonly label: string; readonly path: string }[] }) {
  return (
    <Notice
      title={
        roots.length === 0 ? "No folder is open" : `No jobs in ${roots.map((root) => root.label).join(", ")}`
      }
      code={roots.length === 0 ? "npm start -- path/to/jobs" : roots.map((root) => root.path).join("\n")}
      actions={<ButtonLink href={"/load-report"}>Load report</ButtonLink>}
    >
      A job is a folder with a result.json or config.json that Harbor wrote, and one folder for each trial.
      Start Assay with the folder that holds them; the load report lists what was read and what was left out.
    </Notice>
  );
}

/** Jobs are there, but the filters leave none. */
export function NoJobMatches({ params, nJobs }: { params: JobsParams; nJobs: number }) {
  const used = countFilters([params.text, ...JOBS_FACETS.map((facet) => params[facet])]);
  return (
    <Notice
      title={used === 1 ? "No job matches this filter" : `No job matches these ${used} filters`}
      actions={<ButtonLink href={jobsHref({})}>Clear all</ButtonLink>}
    >
      {formatPlural(nJobs, "job")} without filters.
    </Notice>
  );
}
