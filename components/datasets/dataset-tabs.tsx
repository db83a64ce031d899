import { Tabs } from "@/components/ui/tabs";
import { DATASET_TABS, type DatasetTab } from "@/lib/core/domain/dataset";
import { datasetHref, type DatasetParams, HARDEST_TASKS } from "@/lib/pages/datasets/address";
import type { Dataset } from "@/lib/pages/datasets/list";

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
