import { StoreError } from "@/lib/domain/app-error";

import { getAnnotationStore } from "./store";
import type { AnnotationStore } from "./store";

/**
 * Number of judgments that count, one per reviewer and trial; null when the store cannot be read, which is not 0.
 * For the frame around every page, which must stand when the store does not.
 */
export function countAnnotations(store: AnnotationStore = getAnnotationStore()): number | null {
  try {
    return store.read(0, (db) => Number(db.prepare(COUNT).pluck().get()));
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

const COUNT = `
  SELECT count(*) FROM (
    SELECT DISTINCT trial_name, coalesce(job_id, job_name), reviewer_key FROM annotation_version AS saved
    WHERE kind = 'saved' AND NOT EXISTS (
      SELECT 1 FROM annotation_version AS later WHERE later.withdraws = saved.version_id
    )
  )`;
