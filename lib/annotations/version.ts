import { StoreError } from "@/lib/domain/app-error";

import { type AnnotationStore, getAnnotationStore } from "./store";

/**
 * Grows with every event, whichever program wrote it; 0 while there is none, null when the store cannot be read. One look
 * at the end of an index, so that it can be asked every few seconds.
 */
export async function readAnnotationsVersion(
  store: AnnotationStore = getAnnotationStore(),
): Promise<number | null> {
  try {
    return await store.read(0, async (db) => {
      const row = await db
        .selectFrom("annotation_version")
        .select((select) => select.fn.max<number | null>("seq").as("seq"))
        .executeTakeFirst();
      return row?.seq ?? 0;
    });
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}
