/** Returns sums by key, in order of first appearance; counts items by default. */
export function sumBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
  amountOf: (item: Item) => number = () => 1,
): Map<Key, number> {
  const sums = new Map<Key, number>();
  for (const item of items) {
    const key = keyOf(item);
    sums.set(key, (sums.get(key) ?? 0) + amountOf(item));
  }
  return sums;
}
