import "server-only";
import { type AnnotationStore, getAnnotationStore, readAnnotationsVersion } from "@/lib/people/annotations";

import { createGenerationCache } from "../shell/cache";

/** `isWhole` is false if part of the input could not be read; such a value is not cached. */
export interface Made<T> {
  readonly value: T;
  readonly isWhole: boolean;
}

/** Carries an incomplete value past the cache, which keeps nothing that failed. */
class NotWhole extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super("Not all that it is made of could be read.");
    this.value = value;
  }
}

/**
 * Creates a `createGenerationCache` that every statement also empties, because each value covers all judgments. Nothing is
 * cached while judgments cannot be read.
 */
export function createAnnotatedCache(limit: number) {
  const keep = createGenerationCache(limit);
  return async <T>(
    state: Parameters<typeof keep>[0],
    name: string,
    make: () => Promise<Made<T>>,
    annotations: AnnotationStore = getAnnotationStore(),
  ): Promise<T> => {
    // Read before `make` runs, so that the next request never misses a save in between.
    const said = await readAnnotationsVersion(annotations);
    if (said === null) return (await make()).value;
    const parts = [state.generation, annotations.place, said];
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
