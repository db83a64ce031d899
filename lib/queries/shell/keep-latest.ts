/**
 * Keeps what was computed for the keys that were asked for last; the same key at the same time is computed once. A failure is
 * not kept.
 *
 * @param limit - keys that are kept
 */
export function keepLatest<T>(limit: number): (key: string, compute: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, Promise<T>>();
  return (key, compute) => {
    const known = kept.get(key);
    // Put last again, so that the first one is the one that nobody asked for the longest.
    kept.delete(key);
    const value = known ?? compute();
    kept.set(key, value);
    if (known === undefined) value.catch(() => kept.get(key) === value && kept.delete(key));
    const oldest = kept.keys().next().value;
    if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
    return value;
  };
}

/**
 * Keeps what was computed from one generation of a store, see {@link keepLatest}, until it is asked for another one.
 *
 * @param limit - values that are kept of each store
 */
export function keepForGeneration(limit: number) {
  const kept = new WeakMap<object, { generation: number; keep: ReturnType<typeof keepLatest<unknown>> }>();
  return async <T>(
    { store, generation }: { readonly store: object; readonly generation: number },
    name: string,
    compute: () => Promise<T>,
  ): Promise<T> => {
    let entry = kept.get(store);
    if (entry?.generation !== generation)
      kept.set(store, (entry = { generation, keep: keepLatest<unknown>(limit) }));
    return (await entry.keep(name, compute)) as T; // The same name always stands for the same type.
  };
}
