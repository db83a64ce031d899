import { LRUCache } from "lru-cache";

/**
 * An LRU cache of loaded values; the same key at the same time is loaded once. A load that fails is never cached: whoever
 * waits for it gets the error, and the next one loads again.
 *
 * @param limit - most keys
 */
export function createCache<T extends object>(
  limit: number,
): (key: string, load: () => Promise<T>) => Promise<T> {
  const kept = new LRUCache<string, T, () => Promise<T>>({
    max: limit,
    // Whoever waits gets what was loaded, even where others have pushed its key out meanwhile.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _old, { context }) => context(),
  });
  return (key, load) => kept.forceFetch(key, { context: load });
}

/**
 * A cache of values computed from one generation of a store, see {@link createCache}, emptied by the next generation.
 *
 * @param limit - most values of each store
 */
export function createGenerationCache(limit: number) {
  type Kept = {
    readonly generation: number | string;
    readonly load: ReturnType<typeof createCache<{ value: unknown }>>;
  };
  const kept = new WeakMap<object, Kept>();
  return async <T>(
    { store, generation }: { readonly store: object; readonly generation: number | string },
    name: string,
    compute: () => Promise<T>,
  ): Promise<T> => {
    let entry = kept.get(store);
    if (entry?.generation !== generation) kept.set(store, (entry = { generation, load: createCache(limit) }));
    const { value } = await entry.load(name, async () => ({ value: await compute() }));
    return value as T; // The same name always stands for the same type.
  };
}
