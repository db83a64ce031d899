import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";

import { DatasetTabs, DatasetTitle } from "@/components/datasets/dataset-head";
import { HistoryPanel } from "@/components/datasets/history";
import { LeaderboardPanel } from "@/components/datasets/leaderboard";
import { listUnknownOrder } from "@/components/datasets/leaderboard-columns";
import { PageFrame } from "@/components/shell/page-frame";
import { BENCHMARKS } from "@/components/shell/places";
import { TaskHealthPanel } from "@/components/tasks/health-panel";
import type { DatasetTab } from "@/lib/core/domain/dataset";
import { decodeSegment } from "@/lib/core/domain/segment";
import { datasetAddress, type DatasetParams, PASSED } from "@/lib/pages/datasets/address";
import { getHistory } from "@/lib/pages/datasets/history";
import { getLeaderboard, type LeaderboardPage } from "@/lib/pages/datasets/leaderboard";
import { type Dataset, getDataset } from "@/lib/pages/datasets/list";
import { getHealthPage } from "@/lib/pages/tasks/health";

import "@/components/tasks/tasks.css";

export async function generateMetadata({ params }: PageProps<"/datasets/[dataset]">): Promise<Metadata> {
  const dataset = await getDataset(decodeSegment((await params).dataset));
  return { title: dataset?.label ?? "Not found" };
}

export default async function DatasetRoute({ params, searchParams }: PageProps<"/datasets/[dataset]">) {
  const [{ dataset: segment }, search] = await Promise.all([params, searchParams]);
  const dataset = await getDataset(decodeSegment(segment));
  if (dataset === null) notFound();
  const datasetParams = datasetAddress.read(search);
  const { panel, unknown, lead } = await PANELS[datasetParams.tab]({ dataset, params: datasetParams });
  return (
    <PageFrame
      crumbs={[BENCHMARKS, { label: dataset.label }]}
      unknown={[...datasetAddress.listUnknown(search), ...unknown]}
    >
      <DatasetTitle dataset={dataset} lead={lead} />
      <DatasetTabs dataset={dataset} params={datasetParams} />
      {panel}
    </PageFrame>
  );
}

interface PanelProps {
  readonly dataset: Dataset;
  readonly params: DatasetParams;
}

interface DrawnPanel {
  readonly panel: ReactNode;
  /** URL values that only the loaded data shows to be unknown. */
  readonly unknown: readonly string[];
  readonly lead: LeaderboardPage["lead"] | null;
}

const PANELS: Readonly<Record<DatasetTab, (props: PanelProps) => Promise<DrawnPanel>>> = {
  leaderboard: async ({ dataset, params }) => {
    const page = await getLeaderboard(dataset, params);
    return {
      panel: <LeaderboardPanel datasetId={dataset.id} page={page} params={params} />,
      unknown: listUnknownOrder(page, params),
      lead: page.lead,
    };
  },
  history: async ({ dataset, params }) => ({
    panel: <HistoryPanel datasetId={dataset.id} page={await getHistory(dataset, params)} params={params} />,
    unknown: [],
    lead: null,
  }),
  health: async ({ dataset, params }) => ({
    panel: <TaskHealthPanel dataset={dataset} page={await getHealthPage(dataset, params)} params={params} />,
    unknown: params.sort === null || params.sort === PASSED ? [] : ["sort"],
    lead: null,
  }),
};
