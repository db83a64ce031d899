import { PageTitle } from "@/components/ui/page-title";
import { Tabs } from "@/components/ui/tabs";
import { DATASET_TABS, type DatasetTab } from "@/lib/core/domain/dataset";
import { formatPlural } from "@/lib/core/format/number";
import { datasetHref, type DatasetParams, HARDEST_TASKS } from "@/lib/pages/datasets/address";
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

const LABELS: Readonly<Record<DatasetTab, string>> = {
  leaderboard: "Leaderboard",
  history: "History",
  health: "Tasks",
};

export function DatasetTabs({ dataset, params }: { dataset: Dataset; params: DatasetParams }) {
  const counts: Readonly<Record<DatasetTab, number | null>> = {
    leaderboard: dataset.groups.length,
    history: dataset.nJobs,
    health: dataset.tasks.length,
  };
  const tabs = DATASET_TABS.map((id) => ({
    id,
    label: LABELS[id],
    href: datasetHref(dataset.id, id === "health" ? HARDEST_TASKS : { tab: id }),
    count: counts[id],
  }));
  return <Tabs label="Parts of this dataset" tabs={tabs} current={params.tab} />;
}
