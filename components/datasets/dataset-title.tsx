import { PageTitle } from "@/components/ui/page-title";
import { formatPlural } from "@/lib/core/format/number";
import type { Dataset } from "@/lib/pages/datasets/list";

/** The answer of the open tab is the heading; the name is in the breadcrumb and below it. */
export function DatasetTitle({
  dataset,
  lead,
}: {
  dataset: Dataset;
  lead: { readonly headline: string; readonly sentences: readonly string[] } | null;
}) {
  const { label, isNamed, groups, tasks, nJobs, nTrials } = dataset;
  const counts = [
    formatPlural(tasks.length, "task"),
    formatPlural(groups.length, "group"),
    `${formatPlural(nTrials, "trial")} from ${formatPlural(nJobs, "job")}`,
  ].join(", ");
  return (
    <PageTitle
      title={lead?.headline ?? label}
      {...(isNamed || lead !== null ? {} : { suffix: "no dataset stated" })}
      summary={
        <>
          {lead === null ? null : lead.sentences.map((sentence) => `${sentence} `)}
          {lead === null ? counts : `${label}: ${counts}`}
          {isNamed
            ? ". Identified by name only: trials record no version."
            : ". No dataset stated: these groups share this page because their tasks have the same names."}
        </>
      }
    />
  );
}
