import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { drawUnlessUnreadable } from "@/components/annotations/annotations-page";
import { VanishedItem } from "@/components/queues/queue-tables";
import { TrialSkeleton } from "@/components/trial/trial-skeleton";
import { DelayedSuspense } from "@/components/ui/delayed-suspense";
import { StoreError } from "@/lib/core/domain/app-error";
import { decodeSegment } from "@/lib/core/domain/segment";
import { ALL_LANES } from "@/lib/core/domain/trajectory";
import { formatTask } from "@/lib/core/format/words";
import type { SearchValues } from "@/lib/pages/address/address";
import { getQueueItem, type QueueItemView } from "@/lib/pages/queues/item";
import { parseTrialParams, trialAddress } from "@/lib/pages/trial/address";
import { getQueueTrialPage } from "@/lib/pages/trial/blind";

import { drawTrial, prepareWindow } from "../../../../../jobs/[job]/trials/[trial]/trial-view";

type Props = PageProps<"/annotations/queues/[queue]/items/[item]">;

async function readItem(params: Props["params"]): Promise<QueueItemView> {
  const { queue, item } = await params;
  const found = /^[1-9]\d{0,5}$/.test(item)
    ? await getQueueItem(decodeSegment(queue), Number(item) - 1)
    : null;
  return found ?? notFound();
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  try {
    const { head, subject } = await readItem(params);
    return { title: `${formatTask(subject)}, ${head.settings.name}` };
  } catch (error) {
    // The page shows the reason.
    if (error instanceof StoreError) return { title: "Queue" };
    throw error;
  }
}

export default function QueueItemRoute(props: Props) {
  return drawUnlessUnreadable("Queue", () => drawItem(props));
}

async function drawItem({ params, searchParams }: Props) {
  // Before anything is sent, since the status could not be 404 afterwards.
  const item = await readItem(params);
  if (item.place === null) return <VanishedItem item={item} />;
  return <DelayedSuspense fallback={<TrialSkeleton />}>{drawPage(item, await searchParams)}</DelayedSuspense>;
}

async function drawPage(item: QueueItemView, values: SearchValues) {
  const asked = parseTrialParams(values);
  // Subagent names may reveal the agent, so none can be opened alone while it is hidden.
  const search = item.hidden.includes("agent") ? { ...asked, lanes: [ALL_LANES] } : asked;
  const page = await getQueueTrialPage(item, prepareWindow(search, item));
  if (page === null) return <VanishedItem item={item} />;
  return drawTrial(page, search, trialAddress.listUnknown(values));
}
