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
