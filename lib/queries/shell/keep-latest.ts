import { LRUCache } from "lru-cache";

/**
 * Keeps what was loaded for the keys that were asked for last; the same key at the same time is loaded once. A load that
 * fails is never kept: whoever waits for it gets the error, and the next one asks anew.
 *
 * @param limit - keys that are kept
 */
export function keepLatest<T extends object>(
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
 * Keeps what was computed from one generation of a store, see {@link keepLatest}, until it is asked for another one.
 *
 * @param limit - values that are kept of each store
 */
export function keepForGeneration(limit: number) {
  type Kept = {
    readonly generation: number;
    readonly load: ReturnType<typeof keepLatest<{ value: unknown }>>;
  };
  const kept = new WeakMap<object, Kept>();
  return async <T>(
    { store, generation }: { readonly store: object; readonly generation: number },
    name: string,
    compute: () => Promise<T>,
  ): Promise<T> => {
    let entry = kept.get(store);
    if (entry?.generation !== generation) kept.set(store, (entry = { generation, load: keepLatest(limit) }));
    const { value } = await entry.load(name, async () => ({ value: await compute() }));
    return value as T; // The same name always stands for the same type.
  };
}
