import "server-only";

import {
  type AnnotationStore,
  getAnnotationStore,
  readAnnotationsVersion,
  readCodebook,
} from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";

import { createGenerationCache } from "../shell/cache";

/**
 * A `createGenerationCache` of values that are also made of what people say: emptied by the next generation, and asked by another
 * name once anything was saved. While what people say cannot be read, nothing is kept.
 *
 * @param limit - most values of each store
 */
export function createAnnotatedCache(limit: number) {
  const keep = createGenerationCache(limit);
  return async <T>(
    state: Parameters<typeof keep>[0],
    name: string,
    compute: () => Promise<T>,
    annotations: AnnotationStore = getAnnotationStore(),
  ): Promise<T> => {
    // Before what is computed is read, so that a save meanwhile is never missed by the next one who asks.
    const said = await readAnnotationsVersion(annotations);
    const codebook = await readCodebookVersion(annotations);
    if (said === null || codebook === null) return compute();
    return keep(state, JSON.stringify([annotations.place, said, codebook, name]), compute);
  };
}

async function readCodebookVersion(annotations: AnnotationStore): Promise<number | null> {
  try {
    return (await readCodebook(annotations)).codebook.version;
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}
