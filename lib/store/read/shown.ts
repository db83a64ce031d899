import { isAmong } from "./query";
import type { IndexStore } from "../open-store";

/** Those of these keys that a cluster of failures has. @throws StoreError */
export async function readShownClusters(
  store: IndexStore,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await store.db
    .selectFrom("trialFailures")
    .select("clusterKey")
    .distinct()
    .where(isAmong(store, "clusterKey", keys))
    .execute();
  return new Set(rows.map(({ clusterKey }) => clusterKey));
}

/**
 * Those of these texts that are a name in the index and none in what is seen of it: the key or name of a job, the name of a task, a value
 * that jobs and trials are filtered by, such as an agent, or the label of an opened folder.
 *
 * @throws StoreError
 */
export async function findHiddenNames(
  all: IndexStore,
  seen: IndexStore,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await readNames(all, [...new Set(texts)]);
  if (known.size === 0) return known;
  const shown = await readNames(seen, [...known]);
  return new Set([...known].filter((name) => !shown.has(name)));
}

async function readNames(store: IndexStore, texts: readonly string[]): Promise<ReadonlySet<string>> {
  if (texts.length === 0) return new Set();
  const { db } = store;
  const found = await Promise.all([
    db
      .selectFrom("jobs")
      .select("key as name")
      .where(isAmong(store, "key", texts))
      .execute(),
    db
      .selectFrom("jobs")
      .select("name")
      .where(isAmong(store, "name", texts))
      .execute(),
    db
      .selectFrom("tasks")
      .select("taskName as name")
      .distinct()
      .where(isAmong(store, "taskName", texts))
      .execute(),
    db
      .selectFrom("facets")
      .select("value as name")
      .distinct()
      .where(isAmong(store, "value", texts))
      .execute(),
    db
      .selectFrom("roots")
      .select("label as name")
      .where(isAmong(store, "label", texts))
      .execute(),
  ]);
  return new Set(found.flat().map(({ name }) => name));
}
