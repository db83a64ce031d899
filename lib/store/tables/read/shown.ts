import type { IndexStore } from "../open-store";
import { isAmong } from "./query";

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
 * Returns the texts that are names in the index but not in its visible part: job keys and names, task names, filter values such as
 * agents, folder labels.
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
