import { LRUCache } from "lru-cache";

import { takeTurns } from "@/lib/store";

/** Asked for each time, so that a test can put another clock in its place. */
const CLOCK = { now: () => performance.now() };

/**
 * An LRU cache of loaded values; the same key at the same time is loaded once. A load that fails is never cached: whoever
 * waits for it gets the error, and the next one loads again.
 *
 * @param limit - most keys
 * @param idleMs - for how long a value is kept that nobody asks for, from 1; without end when absent
 */
export function createCache<T extends object>(
  limit: number,
  idleMs?: number,
): (key: string, load: () => Promise<T>) => Promise<T> {
  const kept = new LRUCache<string, T, () => Promise<T>>({
    max: limit,
    ...(idleMs === undefined ? {} : { ttl: idleMs, ttlAutopurge: true, updateAgeOnGet: true, perf: CLOCK }),
    // Whoever waits gets what was loaded, even where others have pushed its key out meanwhile.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _old, { context }) => context(),
  });
  return (key, load) => kept.forceFetch(key, { context: load });
}

/**
 * A cache of values computed from one generation of a store, see {@link createCache}, emptied by the next generation.
 *
 * @param limit - most values of each generation of a store
 * @param nGenerations - of each store; the one that was asked for least lately goes first
 */
export function createGenerationCache(limit: number, nGenerations = 1) {
  type Load = ReturnType<typeof createCache<{ value: unknown }>>;
  const kept = new WeakMap<object, LRUCache<number | string, Load>>();
  return async <T>(
    { store, generation }: { readonly store: object; readonly generation: number | string },
    name: string,
    compute: () => Promise<T>,
  ): Promise<T> => {
    const own = kept.get(store) ?? new LRUCache<number | string, Load>({ max: nGenerations });
    kept.set(store, own);
    const load = own.get(generation) ?? createCache<{ value: unknown }>(limit);
    own.set(generation, load);
    const { value } = await load(name, async () => ({ value: await compute() }));
    return value as T; // The same name always stands for the same type.
  };
}

/** Jobs that are read together; whatever else waits gets its turn after them. */
const JOBS_A_READ = 10;

/**
 * An LRU cache of what is made of each job of a store by itself: it is made again once the state of the job is another one, and those of
 * other jobs stay.
 *
 * @param limit - most of what `sizeOf` counts, over the jobs of a store
 */
export function createJobCache<Part extends object>(limit: number, sizeOf: (part: Part) => number) {
  type Kept = { readonly state: string; readonly part: Part };
  const kept = new WeakMap<object, LRUCache<number, Kept>>();
  /**
   * @param jobs - the state of each job by id; a job with another state than before is read again
   * @param read - of some jobs, by id; told what is known of a job in the state that it was in before
   * @returns the parts of all jobs, in their order
   */
  return async (
    store: object,
    jobs: ReadonlyMap<number, string>,
    read: (
      ids: readonly number[],
      before: (id: number) => Part | undefined,
    ) => Promise<ReadonlyMap<number, Part>>,
  ): Promise<readonly Part[]> => {
    const own =
      kept.get(store) ??
      new LRUCache<number, Kept>({ maxSize: limit, sizeCalculation: ({ part }) => 1 + sizeOf(part) });
    kept.set(store, own);
    for (const id of own.keys()) if (!jobs.has(id)) own.delete(id);
    // Held here, since more than the limit pushes the first out before the last is read.
    const parts = new Map<number, Part>();
    for (const [id, state] of jobs) {
      const known = own.get(id);
      if (known?.state === state) parts.set(id, known.part);
    }
    const changed = [...jobs.keys()].filter((id) => !parts.has(id));
    for await (const ids of takeTurns(changed, JOBS_A_READ))
      for (const [id, part] of await read(ids, (one) => own.get(one)?.part)) {
        parts.set(id, part);
        own.set(id, { state: jobs.get(id) ?? "", part });
      }
    return [...jobs.keys()].flatMap((id) => parts.get(id) ?? []);
  };
}
