import { setImmediate } from "node:timers/promises";

/**
 * Gives a list in parts, with a pause before each but the first: SQLite answers without one, and others of this process have their turn
 * then.
 *
 * @param nAtOnce - most items of a part, from 1
 */
export async function* takeTurns<Item>(
  list: readonly Item[],
  nAtOnce: number,
): AsyncGenerator<readonly Item[], void> {
  for (let start = 0; start < list.length; start += nAtOnce) {
    if (start > 0) await setImmediate();
    yield list.slice(start, start + nAtOnce);
  }
}
