import { sumBy } from "./sum-by";

/**
 * Makes something of each group of some items; of a group that lacks none once, however many lists have it.
 *
 * @param all - what each of those lists is a part of, in the same order
 * @returns what was made by key, in the order of the first items
 */
export function createGroupMaker<Item, Key, Made>(
  all: readonly Item[],
  keyOf: (item: Item) => Key,
  make: (own: readonly Item[], key: Key) => Made,
): (some: readonly Item[]) => ReadonlyMap<Key, Made> {
  const sizes = sumBy(all, keyOf);
  const made = new Map<Key, Made>();
  const makeOne = (own: readonly Item[], key: Key): Made => {
    if (own.length !== sizes.get(key)) return make(own, key);
    const known = made.get(key) ?? make(own, key);
    made.set(key, known);
    return known;
  };
  return (some) => new Map(Array.from(Map.groupBy(some, keyOf), ([key, own]) => [key, makeOne(own, key)]));
}
