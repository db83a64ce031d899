import "server-only";

import {
  type AnnotationStore,
  type CodebookHistory,
  getAnnotationStore,
  listQueues,
  readAnnotationsVersion,
  readCodebook,
} from "@/lib/annotations";
import { StoreError } from "@/lib/domain/app-error";

import { createGenerationCache } from "../shell/cache";

/** A value, and whether all that it is made of could be read: one that is not whole is not kept. */
export interface Made<T> {
  readonly value: T;
  readonly isWhole: boolean;
}

/** Carries a value past the cache, which keeps nothing that failed. */
class NotWhole extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super("Not all that it is made of could be read.");
    this.value = value;
  }
}

/**
 * A `createGenerationCache` of values that are also made of what people say: emptied by the next generation, and once anything was
 * saved or a queue was made, since each value holds all that was said. While that cannot be read, nothing is kept.
 *
 * @param limit - most values of each store
 */
export function createAnnotatedCache(limit: number) {
  const keep = createGenerationCache(limit);
  return async <T>(
    state: Parameters<typeof keep>[0],
    name: string,
    make: () => Promise<Made<T>>,
    annotations: AnnotationStore = getAnnotationStore(),
  ): Promise<T> => {
    // Before what is made is read, so that a save meanwhile is never missed by the next one who asks.
    const said = await readAnnotationsVersion(annotations);
    const codebook = await readCodebookOrNull(annotations);
    const nQueues = await orNull(async () => (await listQueues(annotations)).queues.length);
    if (said === null || codebook === null || nQueues === null) return (await make()).value;
    const parts = [state.generation, annotations.place, said, codebook.codebook.version, nQueues];
    try {
      return await keep({ store: state.store, generation: JSON.stringify(parts) }, name, async () => {
        const { value, isWhole } = await make();
        if (!isWhole) throw new NotWhole(value);
        return value;
      });
    } catch (error) {
      if (error instanceof NotWhole) return error.value as T; // What `make` of this very name made.
      throw error;
    }
  };
}

/** The codebook; null where it cannot be read. */
export function readCodebookOrNull(
  annotations: AnnotationStore = getAnnotationStore(),
): Promise<CodebookHistory | null> {
  return orNull(() => readCodebook(annotations));
}

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}
