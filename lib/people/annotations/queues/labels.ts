import { type AnnotationDb, type AnnotationEvent, COLUMNS, readRows } from "../record";

export async function selectQueueEvents(db: AnnotationDb, queueId: string): Promise<AnnotationEvent[]> {
  const rows = await db
    .selectFrom("annotation_version")
    .select(COLUMNS)
    .where("queue_id", "=", queueId)
    .orderBy("seq")
    .execute();
  return [...readRows(rows).events];
}

export async function selectQueueLabels(
  db: AnnotationDb,
  queueId: string,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const rows = await db
    .selectFrom("annotation_version")
    .select(["version_id", "withdraws", "queue_position", "reviewer_key"])
    .where("queue_id", "=", queueId)
    .execute();
  const withdrawn = new Set(rows.flatMap(({ withdraws }) => withdraws ?? []));
  const labels = new Map<number, Set<string>>();
  for (const { version_id: id, withdraws, queue_position: position, reviewer_key: reviewer } of rows) {
    if (withdraws !== null || withdrawn.has(id) || position === null) continue;
    labels.set(position, (labels.get(position) ?? new Set()).add(reviewer));
  }
  return labels;
}
