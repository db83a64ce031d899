import { LRUCache } from "lru-cache";

import { oncePer } from "@/lib/core/domain/once-per";
import { takeTurns } from "@/lib/store/tables";

/** Read on each call, so that a test can replace the clock. */
const CLOCK = { now: () => performance.now() };

/** An LRU cache that shares concurrent loads and caches no failures. Unused values expire after `idleMs`, at least 1 ms. */
export function createCache<T extends object>(
  limit: number,
  idleMs?: number,
): (key: string, load: () => Promise<T>) => Promise<T> {
  const kept = new LRUCache<string, T, () => Promise<T>>({
    max: limit,
    ...(idleMs === undefined ? {} : { ttl: idleMs, ttlAutopurge: true, updateAgeOnGet: true, perf: CLOCK }),
    // Callers get the loaded value even if its key was evicted meanwhile.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _old, { context }) => context(),
  });
  return (key, load) => kept.forceFetch(key, { context: load });
}

/** A cache for one generation of a store, emptied by the next. */
export function createGenerationCache(limit: number) {
  type Load = ReturnType<typeof createCache<{ value: unknown }>>;
  const keptOf: (store: object) => LRUCache<number | string, Load> = oncePer(() => new LRUCache({ max: 1 }));
  return async <T>(
    { store, generation }: { readonly store: object; readonly generation: number | string },
    name: string,
    compute: () => Promise<T>,
  ): Promise<T> => {
    const own = keptOf(store);
    const load = own.get(generation) ?? createCache<{ value: unknown }>(limit);
    own.set(generation, load);
    const { value } = await load(name, async () => ({ value: await compute() }));
    return value as T; // A name always has the same type.
  };
}

/** Jobs read together before other requests get a turn. */
const JOBS_A_READ = 10;

/** Caches one part per job until the state of the job changes. `limit` bounds the sum of `sizeOf` over a store. */
export function createJobCache<Part extends object>(limit: number, sizeOf: (part: Part) => number) {
  type Kept = { readonly state: string; readonly part: Part };
  const keptOf: (store: object) => LRUCache<number, Kept> = oncePer(
    () => new LRUCache({ maxSize: limit, sizeCalculation: ({ part }) => 1 + sizeOf(part) }),
  );
  /** `jobs` holds states by job id. `before` returns the part of an earlier state. */
  return async (
    store: object,
    jobs: ReadonlyMap<number, string>,
    read: (
      ids: readonly number[],
      before: (id: number) => Part | undefined,
    ) => Promise<ReadonlyMap<number, Part>>,
  ): Promise<readonly Part[]> => {
    const own = keptOf(store);
    for (const id of own.keys()) if (!jobs.has(id)) own.delete(id);
    // Kept here because the cache may evict the first part before the last is read.
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
