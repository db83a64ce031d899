import { setImmediate } from "node:timers/promises";

/**
 * Yields a list in parts with a pause between them, since SQLite blocks the process while it answers.
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
