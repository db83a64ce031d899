import { sumBy } from "./sum-by";

/** A complete group is made once, however many lists contain it. @param all - what the lists are parts of, in the same order */
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
