import { sql } from "kysely";

import { StoreError } from "@/lib/domain/app-error";

import { getAnnotationStore } from "./store";
import type { AnnotationStore } from "./store";

/**
 * Number of judgments that count, one per reviewer and trial; null when the store cannot be read, which is not 0.
 * For the frame around every page, which must stand when the store does not.
 */
export async function countAnnotations(
  store: AnnotationStore = getAnnotationStore(),
): Promise<number | null> {
  try {
    return await store.read(0, async (db) => (await COUNT.execute(db)).rows[0]?.count ?? 0);
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

const COUNT = sql<{ count: number }>`
  SELECT count(*) AS count FROM (
    SELECT DISTINCT trial_name, coalesce(job_id, job_name), reviewer_key FROM annotation_version AS saved
    WHERE kind = 'saved' AND NOT EXISTS (
      SELECT 1 FROM annotation_version AS later WHERE later.withdraws = saved.version_id
    )
  ) AS judged`;
