import "server-only";

import { getAnnotationStore, readAnnotationsVersion, readCodebook } from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";

import { getIndex } from "../shell/catalog";
import { createGenerationCache } from "../shell/cache";

/** Each may hold a place for every trial of a filter. */
const MOST_VALUES = 40;

const keep = createGenerationCache(MOST_VALUES);

/**
 * A value computed from the index and from what people say, cached until either changes; an LRU cache of 40 names. What cannot be
 * read is not kept.
 *
 * @param name - tells it from other such values, its parameters included
 */
export async function getCachedWithAnnotations<T>(name: string, compute: () => Promise<T>): Promise<T> {
  const { store, status } = await getIndex();
  const { generation } = status();
  const annotations = getAnnotationStore();
  // Before what is computed is read, so that a save meanwhile is never missed by the next one who asks.
  const said = await readAnnotationsVersion(annotations);
  const codebook = await readCodebookVersion();
  if (said === null || codebook === null) return compute();
  return keep({ store, generation }, JSON.stringify([annotations.place, said, codebook, name]), compute);

  async function readCodebookVersion(): Promise<number | null> {
    try {
      return (await readCodebook(annotations)).codebook.version;
    } catch (error) {
      if (error instanceof StoreError) return null;
      throw error;
    }
  }
}
