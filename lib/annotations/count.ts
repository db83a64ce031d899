import { StoreError } from "@/lib/domain/app-error";

import { readEverything } from "./list";
import { type AnnotationStore, getAnnotationStore } from "./store";
import { describeUnreadable } from "./unreadable-row";

/** What the frame around every page says of the annotations. */
export interface AnnotationsState {
  /** Judgments that count, one per reviewer and trial as lists tell trials apart; null when the store cannot be read. */
  readonly nCurrent: number | null;
  /** What cannot be read, and what to do; null when everything can. */
  readonly problem: string | null;
  /** Whether the file is damaged, of which an export has what can still be read. */
  readonly isDamaged: boolean;
}

/**
 * Returns how many judgments count and what of the store cannot be read. Never throws a StoreError: the frame around every
 * page must stand when the store does not.
 */
export async function readAnnotationsState(
  store: AnnotationStore = getAnnotationStore(),
): Promise<AnnotationsState> {
  try {
    const { trials, unreadable } = await readEverything(store);
    const nCurrent = trials.reduce(
      (sum, { chains }) => sum + chains.filter(({ current }) => current !== null).length,
      0,
    );
    return { nCurrent, problem: describeUnreadable(store.place, unreadable), isDamaged: false };
  } catch (error) {
    if (error instanceof StoreError)
      return { nCurrent: null, problem: error.message, isDamaged: error.code === "store_corrupt" };
    throw error;
  }
}
