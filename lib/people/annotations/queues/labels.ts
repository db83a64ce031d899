import { type AnnotationEvent, foldJudgments } from "../record";
import type { AnnotationDb } from "../tables";

export async function selectQueueEvents(
  db: AnnotationDb,
  queueId: string,
): Promise<readonly AnnotationEvent[]> {
  const { events } = await foldJudgments(db);
  return events.filter(({ queue }) => queue?.queueId === queueId);
}

export async function selectQueueLabels(
  db: AnnotationDb,
  queueId: string,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const labels = new Map<number, Set<string>>();
  for (const { queue, reviewerKey } of listStanding(await selectQueueEvents(db, queueId))) {
    if (queue === null) continue;
    labels.set(queue.position, (labels.get(queue.position) ?? new Set()).add(reviewerKey));
  }
  return labels;
}

export function listStanding(events: readonly AnnotationEvent[]): readonly AnnotationEvent[] {
  const withdrawn = new Set(events.flatMap(({ withdraws }) => withdraws ?? []));
  return events.filter(({ withdraws, versionId }) => withdraws === null && !withdrawn.has(versionId));
}
