import { StoreError } from "@/lib/domain/app-error";

import { listAll } from "./list";
import { getAnnotationStore } from "./store";
import type { AnnotationStore } from "./store";

/**
 * Number of judgments that count, one per reviewer and trial as lists tell trials apart; null when the store cannot be
 * read, which is not 0. For the frame around every page, which must stand when the store does not.
 */
export async function countAnnotations(
  store: AnnotationStore = getAnnotationStore(),
): Promise<number | null> {
  try {
    const trials = await listAll(store);
    return trials.reduce(
      (sum, { chains }) => sum + chains.filter(({ current }) => current !== null).length,
      0,
    );
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}
