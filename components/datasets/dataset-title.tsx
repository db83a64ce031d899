import { PageTitle } from "@/components/ui/page-title";
import { formatPlural } from "@/lib/core/format/number";
import type { Dataset } from "@/lib/pages/datasets/list";

export function DatasetTitle({ dataset }: { dataset: Dataset }) {
  const { label, isNamed, groups, tasks, nJobs, nTrials } = dataset;
  const counts = [
    formatPlural(tasks.length, "task"),
    formatPlural(groups.length, "group"),
    `${formatPlural(nTrials, "trial")} from ${formatPlural(nJobs, "job")}`,
  ].join(", ");
  return (
    <PageTitle
      title={label}
      {...(isNamed ? {} : { suffix: "no dataset stated" })}
      summary={
        isNamed
          ? `${counts}. Identified by name only: trials record no version.`
          : `${counts}. Groups without a dataset share this page because their tasks have the same names.`
      }
    />
  );
}
